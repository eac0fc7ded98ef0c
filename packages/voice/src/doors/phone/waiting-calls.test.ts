import { IncomingRefused } from '@parley/worker';
import { systemClock } from '../../clock';
import { CHANNEL_ID } from '../asterisk/ari-client';
import { CALL_CONTROL_ID } from '../telnyx/telnyx-client';
import { CALL_SID } from '../twilio/twilio-client';
import { type TakeIncoming, WaitingCalls } from './waiting-calls';

const SID = `CA${'0123456789abcdef'.repeat(2)}`;
const offer = { id: SID, to: '+15550100000', from: '+15551112222' };

const open = (form = CALL_SID) => new WaitingCalls(form, systemClock, () => undefined);

/** The server accepts each call as `call-1`, and the handler picks it up. */
const takeBy =
  (calls: WaitingCalls, pickedUp: string[]): TakeIncoming =>
  (_, { accepted }) => {
    accepted('call-1');
    pickedUp.push(calls.accept('call-1'));
    return Promise.resolve();
  };

test.each([
  '+266696687',
  '+7378742833',
  '+86282452253',
  '+2562533',
  '+8656696',
  'anonymous',
  'Restricted',
  '',
])('the caller %j is one whose number is withheld', async (from) => {
  const calls = open();
  const asked: unknown[] = [];
  calls.takeCalls(({ from_number }) => {
    asked.push(from_number);
    return Promise.reject(new IncomingRefused('agent_off'));
  });
  expect(await calls.ask({ ...offer, from })).toEqual({ refusal: 'agent_off' });
  await calls.ask(offer);
  expect(asked).toEqual(['', '+15551112222']);
});

test('a call is picked up by the id that the server gave it for its caller, once, and by no other', async () => {
  const calls = open();
  const pickedUp: string[] = [];
  calls.takeCalls(takeBy(calls, pickedUp));
  const noCaller = expect.objectContaining({ reason: 'dial_failed' }) as Error;
  expect(() => calls.accept(SID)).toThrow(noCaller);
  expect(await calls.ask(offer)).toEqual({ callId: 'call-1' });
  expect(pickedUp).toEqual([SID]);
  // Its handler has ended.
  await new Promise(setImmediate);
  expect(() => calls.accept('call-1')).toThrow(noCaller);
});

test('a caller who has gone before the call is picked up has hung up', async () => {
  const calls = open();
  let failed: unknown;
  calls.takeCalls((_, { accepted }) => {
    accepted('call-1');
    calls.leave(SID);
    try {
      calls.accept('call-1');
    } catch (error) {
      failed = error;
    }
    return Promise.resolve();
  });
  expect(await calls.ask(offer)).toBeUndefined();
  expect(failed).toMatchObject({ reason: 'user_hangup' });
});

test('a call takes one place: while the server is asked, and then as a call of the worker', async () => {
  const calls = open();
  const counts: number[] = [];
  let accept: () => void = () => undefined;
  let end: () => void = () => undefined;
  calls.takeCalls(
    ({ external_id }, { accepted }) =>
      new Promise<void>((resolve) => {
        if (external_id === SID) [accept, end] = [() => accepted('call-1'), resolve];
        else resolve();
      }),
    {
      isFull: (asked) => counts.push(asked) > 2,
      handOn: () => Promise.resolve({ refusal: 'too_many_calls' }),
      toClaimId: ({ id }) => id,
      askHolder: () => Promise.resolve(undefined),
    },
  );
  const waits = calls.ask(offer);
  void calls.ask({ ...offer, id: `${SID.slice(0, -1)}0` });
  accept();
  expect(await calls.ask({ ...offer, id: `${SID.slice(0, -1)}1` })).toEqual({ refusal: 'too_many_calls' });
  expect(counts).toEqual([0, 1, 1]);
  calls.leave(SID);
  end();
  expect(await waits).toBeUndefined();
});

test.each<[string, RegExp, string[], string[]]>([
  ['Twilio', CALL_SID, [SID, `CA${'F'.repeat(32)}`], [`${SID}/..`, `CA${'g'.repeat(32)}`, SID.slice(0, -1)]],
  [
    'Telnyx',
    CALL_CONTROL_ID,
    ['v3:MdI91X4lWFEs7Igb_iE4-pqg', 'v2:T02llQ=='],
    ['v3:', 'v3:..', '../v2/calls'],
  ],
  [
    'Asterisk',
    CHANNEL_ID,
    ['1267568856.11', 'Asterisk01-123456789.1', 'a;2'],
    ['.', '..', '1.1/..', '1.1,2.2'],
  ],
])('an id of %s is asked for only if it has the form of the carrier', async (_, form, good, bad) => {
  const calls = open(form);
  const asked: unknown[] = [];
  calls.takeCalls(({ external_id }) => {
    asked.push(external_id);
    return Promise.reject(new IncomingRefused('agent_off'));
  });
  for (const id of [...good, ...bad, '', `${good[0]}?x=1`, `${good[0]}\n`]) await calls.ask({ ...offer, id });
  expect(asked).toEqual(good);
});
