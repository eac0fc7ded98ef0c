import { until } from '../../../test/support/until';
import { exampleCall } from '../../worker/src/example-call';
import type { Person } from './stand-ins/phone/handset';
import type { TwilioCall } from './stand-ins/twilio/call';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';
import { CarrierTalk } from './support/carriers';
import { converse } from './support/shared-calls';

jest.setTimeout(60_000);

const { callConfig } = exampleCall().agent;
const agent = {
  voicemailConfig: { isEnabled: true, message: 'Please call us back.' },
  callConfig: { ...callConfig, voicemailDetection: { enabled: true, type: 'audio' } },
};
const options = { start: { greeting: 'Hello, this is the front desk.', agent } };

describe('A callback of Twilio that is sent again', () => {
  let talk: CarrierTalk;
  let twilio: TwilioStandIn;
  beforeEach(async () => {
    talk = await CarrierTalk.start('twilio');
    twilio = talk.standIn as TwilioStandIn;
  });
  afterEach(async () => {
    expect(talk.problems).toEqual([]);
    await talk.close();
  });

  /** Sends all callbacks of a call again, as somebody who has recorded them. @returns the statuses of the answers */
  async function sendAgain(phone: TwilioCall): Promise<number[]> {
    const statuses: number[] = [];
    for (const { url, body, headers } of phone.sent.slice()) {
      const type = { 'content-type': 'application/x-www-form-urlencoded' };
      statuses.push((await fetch(url, { method: 'POST', body, headers: { ...headers, ...type } })).status);
    }
    return statuses;
  }

  test.each<[string, Person, string, string[]]>([
    ['a voicemail', { phone: 'voicemail' }, 'voicemail_reached', ['Please call us back.']],
    ['a person', { hangsUpAfterMs: 3_500 }, 'user_hangup', [options.start.greeting]],
  ])('changes nothing in a call under way with %s', async (_, person, reason, turns) => {
    twilio.repeatsCallbacks = true;
    const call = await talk.call(person, { options });
    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason });
    expect(call.turns.map(({ text }) => text)).toEqual(turns);
    await until(() => call.phone?.isOver);
    expect(call.phone).toMatchObject({ complaints: [], streams: 1 });
    expect(call.analyses).toHaveLength(1);
  });

  test('changes nothing in a call under way if somebody else sends it', async () => {
    const calling = talk.call({ hangsUpAfterMs: 3_500 }, { options });
    const isFound = (call: TwilioCall) => call.sent.some(({ body }) => body.includes('AnsweredBy=human'));
    const phone = await until(() => twilio.calls.find(isFound));
    expect(new Set(await sendAgain(phone))).toEqual(new Set([204]));
    const call = await calling;
    expect(call.end).toMatchObject({ reason: 'user_hangup', by: 'user' });
    expect(phone).toMatchObject({ endedBy: 'person', complaints: [], streams: 1 });
  });

  test('changes nothing for two persons whom the agent has connected', async () => {
    twilio.repeatsCallbacks = true;
    const answer = [
      { type: 'text' as const, text: 'I am connecting you now.' },
      { type: 'tool' as const, name: 'sales', arguments: {} },
    ];
    const person = { talks: [{ afterMs: 200, forMs: 300 }], connectedMs: 3_000 };
    const calling = converse(talk, person, [answer], { actions: ['sales tel:+15559998888'] });
    const phone = await until(() => twilio.calls.find(({ transferredTo }) => transferredTo !== undefined));
    await phone.reported;
    expect(new Set(await sendAgain(phone))).toEqual(new Set([204]));
    expect(phone.isOver).toBe(false);
    const call = await calling;
    expect(call.end.reason).toBe('call_transfer');
    expect(call.analyses).toHaveLength(2);
    expect(phone).toMatchObject({ endedBy: 'person', complaints: [] });
  });

  test('causes no request about a call that has ended, and changes no other call', async () => {
    const ended = await talk.call({ hangsUpAfterMs: 600 }, { options });
    const phone = ended.phone as TwilioCall;
    await phone.reported;
    expect(phone.sent.length).toBeGreaterThanOrEqual(5);
    const other = talk.call({ hangsUpAfterMs: 2_500 }, { options });
    await until(() => twilio.calls.some(({ streams, isOver }) => streams === 1 && !isOver));
    const before = twilio.requests.length;
    expect(new Set(await sendAgain(phone))).toEqual(new Set([204]));
    expect((await other).end).toMatchObject({ reason: 'user_hangup', by: 'user' });
    expect(twilio.requests.slice(before)).toEqual([]);
    expect(ended.analyses).toHaveLength(1);
  });
});
