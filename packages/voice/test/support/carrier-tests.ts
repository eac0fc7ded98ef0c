import { until } from '../../../../test/support/until';
import type { Person } from '../stand-ins/phone/handset';
import type { TwilioCall } from '../stand-ins/twilio/call';
import { type CarriedCall, type CarrierName, CarrierTalk } from './carriers';
import { instantSpeech, toPlayed } from './instant-speech';
import { standInRow } from './live';
import {
  carrierSaid,
  connectWithSales,
  expectSeconds,
  findSpeaker,
  greeting,
  inBothWays,
  leavesMessage,
  testSharedCalls,
} from './shared-calls';

const OTHER = '+15559998888';
/** It is long enough to be interrupted by a greeting that goes on. */
const MESSAGE =
  'This is the front desk of our house by the river, please call us back at any time between eight and six, ' +
  'because we would like to tell you more about it, and about the rooms that have a view of the water.';

/** The results of machine detections that find neither a person nor the end of a greeting. */
const UNDECIDED = {
  twilio: { results: ['unknown'], fax: 'fax' },
  relay: { results: ['unknown'], fax: 'fax' },
  telnyx: { results: ['not_sure', 'silence'], fax: 'fax_detected' },
  // It has no machine detection.
  asterisk: undefined,
};

/** The calls that go the same way with each carrier. */
export function testCarrier(name: CarrierName): void {
  jest.setTimeout(60_000);
  const isRelay = name === 'twilio that speaks';
  const service = isRelay ? 'relay' : name;
  const speaks = findSpeaker(service);
  const rows = inBothWays(standInRow);

  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start(name);
  });
  afterAll(() => talk.close());
  afterEach(() => expect(talk.problems.splice(0)).toEqual([]));

  const isOverAtCarrier = (call: CarriedCall) => until(() => call.phone?.isOver);

  /** In seconds, at the carrier. */
  const findTimeLimit = ({ phone }: CarriedCall) => (phone as { timeLimit?: number }).timeLimit;

  testSharedCalls({
    ...{ service, row: standInRow, talk: () => talk, answerMs: 1_000, setting: () => OTHER },
    expectAtStandIn: (call, record, more) => {
      const { phone, carrierId } = call;
      expect(phone).toMatchObject({ id: carrierId, isOver: true, complaints: [], ...record });
      const { answeredAt, transferredAt, endedAt } = phone ?? {};
      if (call.end.type === 'call.ended.v1')
        expectSeconds(call.analysis.carrier_seconds, answeredAt, transferredAt ?? endedAt);
      if (phone) more?.(phone);
      // The service of the call has failed.
      if (call.end.reason === 'error') expect(talk.problems.splice(0)).toHaveLength(1);
    },
  });

  /** The agent calls a machine that records. */
  const callMachine = (machine: Person) =>
    talk.call(
      { phone: 'voicemail', ...machine },
      { options: { start: { greeting: '', agent: leavesMessage(MESSAGE) } } },
    );

  async function expectMessage(machine: Person): Promise<void> {
    const call = await callMachine(machine);
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'voicemail_reached', by: 'agent' });
    expect(call.turns.at(-1)).toMatchObject({ speaker: 'agent', text: MESSAGE });
    await isOverAtCarrier(call);
    const { phone } = call;
    expect(phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
    if (isRelay) return expect((phone as TwilioCall).recordedWords.join(' ')).toBe(MESSAGE);
    const [message, recorded] = [toPlayed(MESSAGE), Buffer.concat(phone?.handset?.recorded ?? [])];
    expect(recorded.toString('hex')).toBe(message.subarray(0, recorded.length).toString('hex'));
    // The agent hangs up by its own clock. On a busy machine, that of the phone is late.
    expect(recorded.length).toBeGreaterThan(0.8 * message.length);
  }

  test.each<[string, Person]>([
    ['a long greeting', { greeting: [4_200] }],
    ['a pause in its greeting', { greeting: [4_200, 3_000, 1_000] }],
    ['two beeps', { beeps: 2 }],
    ['no beep', { greeting: [4_200], beeps: 0 }],
  ])('a voicemail with %s records the whole message', (_, machine) => expectMessage(machine));

  const undecided = UNDECIDED[service];
  if (undecided)
    test.each(undecided.results)(
      'a voicemail that the carrier takes for "%s" records the whole message',
      (word) => expectMessage({ detectedAs: word }),
    );

  if (service === 'twilio' || isRelay)
    test('a voicemail with an end of its greeting that is no beep and no silence records the whole message', () =>
      expectMessage({ detectedAs: 'machine_end_other', beeps: 0 }));

  if (undecided)
    test('a fax machine hears nothing, and the agent hangs up', async () => {
      const call = await callMachine({ detectedAs: undecided.fax });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'voicemail_reached', by: 'agent' });
      expect(call.turns).toEqual([]);
      expect(carrierSaid(call)).toEqual([expect.stringMatching(/fax/)]);
      await isOverAtCarrier(call);
      expect(call.phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
      expect(call.phone?.handset?.heardSound).toBe(false);
    });

  // Asterisk has a limit of another kind: asterisk.test.ts has it.
  if (name !== 'asterisk')
    test('the carrier ends a call a minute after the longest duration, or after four hours if persons are connected', async () => {
      const person = { ...speaks, hangsUpAfterMs: 1_500 };
      expect(findTimeLimit(await talk.call(person, { options: { start: { greeting } } }))).toBe(660);
      expect(findTimeLimit(await connectWithSales(talk, speaks, OTHER))).toBe(14_400);
    });

  test('a person who answers and hangs up before anything is heard has hung up', async () => {
    const call = await talk.call({ hangsUpAtOnce: true }, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'user_hangup' });
    expect(call.phone).toMatchObject({ endedBy: 'person', streams: 0, complaints: [] });
    // The carrier charges for a second at least.
    const carrier = isRelay ? 'twilio' : name;
    expect(call.analyses).toEqual([{ carrier, carrier_seconds: 1 }]);
  });

  test('a full trunk ends the call as dial_failed, with the code of the carrier', async () => {
    talk.standIn.maxCalls = 0;
    const full = await talk.call({}, { options: { start: { greeting } } });
    talk.standIn.maxCalls = Infinity;
    expect(full.end).toMatchObject({ type: 'call.failed.v1', reason: 'dial_failed' });
    expect(carrierSaid(full)).toEqual([expect.stringMatching(/code (20429|90043)|cause 34 /)]);
  });

  if (isRelay || name === 'twilio')
    test('the seconds of two persons who were connected are reported if the report of their end comes first', async () => {
      const person = { ...speaks, connectedMs: 1_200, overtakesAnswer: true };
      const call = await connectWithSales(talk, person, OTHER);
      expect(call.end.reason).toBe('call_transfer');
      const [first = {}, second = {}] = call.analyses;
      // The person's call has the time with the other one already.
      expect(second).toEqual({
        ...{ ...first, transfer_seconds: 2 },
        carrier_seconds: (first.carrier_seconds as number) + 2,
      });
    });

  test('the carrier lets two persons talk for the time that the server allows, with the number that it answers', async () => {
    const allowTransfer = () => Promise.resolve({ to: '+15559997777', maximumSeconds: 1_200 });
    const { phone } = await connectWithSales(talk, speaks, OTHER, { allowTransfer });
    expect(phone).toMatchObject({ transferredTo: '+15559997777', transferLimit: 1_200, complaints: [] });
  });

  // Telnyx has no limit of less than 30 s.
  if (name !== 'telnyx')
    test('the carrier ends the call of two persons at its time limit, which ends the record', async () => {
      const allowTransfer = (to: string) => Promise.resolve({ to, maximumSeconds: 1 });
      const person = { ...speaks, connectedMs: 60_000 };
      const call = await connectWithSales(talk, person, OTHER, { allowTransfer });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'call_transfer', by: 'agent' });
      expect(call.phone).toMatchObject({ endedBy: 'carrier', transferLimit: 1, complaints: [] });
    });

  test('a hang-up over REST while the server is asked for a transfer ends the call as cancelled', async () => {
    const allowTransfer = () =>
      new Promise<never>((_, reject) =>
        setTimeout(() => reject(new Error('The request was aborted')), 4_000),
      );
    const asked = { allowTransfer, options: { hangUpAfterMs: 4_000 } };
    const call = await connectWithSales(talk, speaks, OTHER, asked);
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled', by: 'system' });
    expect(call.warnings.filter(({ code }) => code === 'transfer_failed')).toEqual([]);
  });

  test('a person is not connected with a number if the server refuses it, and the timeline has the reason', async () => {
    const allowTransfer = () => Promise.reject(new Error('to_number is on the do-not-call list'));
    const call = await connectWithSales(talk, speaks, OTHER, { allowTransfer });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'agent_hangup', by: 'agent' });
    expect(call.warnings.filter(({ code }) => code === 'transfer_failed')).toEqual([
      {
        code: 'transfer_failed',
        text: 'The person was not connected: to_number is on the do-not-call list',
      },
    ]);
    await isOverAtCarrier(call);
    expect(call.phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
    expect(call.phone?.transferredTo).toBeUndefined();
  });

  rows('a hang-up over REST ends the call of two persons who were connected', [], async (way) => {
    const person = { ...speaks, connectedMs: 60_000 };
    const call = await connectWithSales(talk, person, OTHER, { way, options: { hangUpAfterMs: 4_000 } });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled', by: 'system' });
    await isOverAtCarrier(call);
    expect(call.phone).toMatchObject({ endedBy: 'runtime', transferredTo: OTHER, complaints: [] });
  });

  rows(
    'a person who hangs up as the agent connects the call has hung up, and no connection has failed',
    [],
    async (way) => {
      const call = await connectWithSales(talk, { ...speaks, hangsUpAtTransfer: true }, OTHER, { way });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
      expect(call.warnings.filter(({ code }) => code === 'transfer_failed')).toEqual([]);
      expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
    },
  );

  // Twilio reports no other end of a call that was answered.
  if (name === 'telnyx' || name === 'asterisk')
    test('a call that the network ends is an error, with the code of the carrier', async () => {
      const call = await talk.call({ failsAfterMs: 600 }, { options: { start: { greeting } } });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
      expect(carrierSaid(call)).toEqual([expect.stringMatching(/unspecified, SIP 503|cause 38/)]);
    });

  // Twilio asks for another document: twilio.test.ts has it.
  if (name === 'telnyx' || name === 'asterisk')
    describe('a stream that the carrier cannot connect', () => {
      const said =
        name === 'telnyx' ? 'Telnyx: streaming.failed, connection_failed' : /^Asterisk: no media, cause 0/;
      const options = { start: { greeting } };
      afterEach(() => (talk.standIn.isCutOff = false));

      test.each(['call', 'ring'] as const)('ends the call as an error, with its code (%s)', async (way) => {
        talk.standIn.isCutOff = true;
        const call = await talk[way]({}, { options });
        expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'error' });
        expect(carrierSaid(call)).toEqual([expect.stringMatching(said)]);
        await isOverAtCarrier(call);
        expect(call.phone).toMatchObject({ endedBy: 'runtime', streams: 0, complaints: [] });
      });

      test('ends the call if the stream was lost before', async () => {
        const calling = talk.call({ losesStreamAfterMs: 700 }, { options });
        const phone = await until(() =>
          talk.standIn.calls.find(({ isOver, streams }) => !isOver && streams === 1),
        );
        talk.standIn.isCutOff = true;
        const call = await calling;
        expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'error', by: 'system' });
        expect(carrierSaid(call)).toEqual([expect.stringMatching(said)]);
        await until(() => phone.isOver);
        expect(phone).toMatchObject({ endedBy: 'runtime', streams: 1, complaints: [] });
      });
    });

  // Twilio ends the call by itself: twilio.test.ts has it.
  if (name === 'telnyx' || name === 'asterisk')
    test('a caller who hangs up before the answer ends the call, and no conversation begins', async () => {
      const call = await talk.ring({ givesUp: true }, { options: { start: { greeting } } });
      expect(call.end).toMatchObject({ type: 'call.failed.v1', reason: 'user_hangup' });
      expect(call.turns).toEqual([]);
      // The carrier charges for no call that it did not answer.
      expect(call.analyses).toEqual([]);
      expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
    });

  test('a stream that is lost comes back within the call', async () => {
    const person = { losesStreamAfterMs: 700, hangsUpAfterMs: 2_500 };
    const call = await talk.call(person, { options: { start: { greeting } } });
    expect(call.end).toMatchObject({ reason: 'user_hangup', by: 'user' });
    expect(call.phone).toMatchObject({ streams: 2, complaints: [] });
    expect(call.turns[0]).toMatchObject({ speaker: 'agent', text: greeting });
  });

  test('a stream that is sent again is refused, also after it was lost, and changes nothing of the call', async () => {
    const keys: string[] = [];
    const person = {
      presses: { afterMs: 500, digits: '5' },
      losesStreamAfterMs: 1_000,
      hangsUpAfterMs: 2_500,
    };
    const onTurn = (text: string) => text.startsWith('DTMF') && keys.push(text);
    const calling = talk.call(person, { options: { start: { greeting } }, onTurn });
    await until(() => keys.length > 0);
    const phone = talk.standIn.calls.at(-1);
    const stream = talk.streams.at(-1);
    expect(await stream?.isRefusedAgain()).toBe(true);
    expect(phone).toMatchObject({ streams: 1, isOver: false });
    await until(() => phone?.streams === 2);
    expect(await stream?.isRefusedAgain()).toBe(true);
    const call = await calling;
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.phone).toMatchObject({ endedBy: 'person', streams: 2, complaints: [] });
    expect(keys).toEqual(['DTMF 5']);
  });

  if (!isRelay)
    test('the person hears all that the agent says, in its order', async () => {
      const sentence = 'Thank you for your call to the front desk of our house by the river.';
      const start = { greeting: sentence };
      const { phone } = await talk.call({ hangsUpAfterMs: 3_000 }, { options: { start } });
      const heard = Buffer.concat(phone?.handset?.bytes ?? []);
      expect(heard.toString('hex')).toBe(toPlayed(sentence).toString('hex'));
    });

  if (!isRelay)
    test('the recogniser hears all that the person says, in its order', async () => {
      const { recognizer, ...speech } = instantSpeech();
      const levels: number[] = [];
      const open: typeof recognizer.open = (listener) => ({
        ...recognizer.open(listener),
        write: (samples) => void levels.push(Math.hypot(...samples)),
      });
      await talk.call(
        { talks: [{ afterMs: 300, forMs: 620 }], hangsUpAfterMs: 2_000 },
        {
          options: { start: { greeting: '' } },
          parts: { speech: { ...speech, recognizer: { ...recognizer, open } } },
        },
      );
      // The rest is the end of the last frame.
      const loud = levels.filter((level) => level > 0).slice(0, 31);
      expect(loud).toHaveLength(31);
      expect(loud).toEqual(loud.toSorted((a, b) => a - b));
    });

  test('a call that the server refuses is not answered', async () => {
    expect((await talk.ringRefused('do_not_call')).refusedAs).toMatch(/rejected/i);
    expect((await talk.ringRefused('too_many_calls')).refusedAs).toMatch(/busy/i);
  });
}
