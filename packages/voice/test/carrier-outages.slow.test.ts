import { until } from '../../../test/support/until';
import type { CarrierServer } from './stand-ins/phone/carrier-server';
import { CarrierTalk } from './support/carriers';
import { connectWithSales, findSpeaker } from './support/shared-calls';

jest.setTimeout(60_000);

const HANG_UP = /^DELETE .*\/channels\/|^POST .*(\/Calls\/CA\w+\.json|\/actions\/(hangup|reject))$/;
const start = { greeting: 'Hello.' };

describe.each([
  ['telnyx', 429],
  ['twilio', 503],
  ['asterisk', 503],
] as const)('With a carrier that refuses requests for a while: %s, with %i', (name, status) => {
  let talk: CarrierTalk;
  let server: CarrierServer;
  beforeEach(async () => {
    talk = await CarrierTalk.start(name);
    server = talk.standIn as unknown as CarrierServer;
    server.refuses = { requests: HANG_UP, status };
  });
  afterEach(() => talk.close());

  /** Several requests have failed, so a single repetition is not what ends the call. */
  const untilRefusedOften = () => until(() => server.refused >= 4);

  // Twilio itself ends a call whose stream was closed.
  if (name !== 'twilio')
    test('a call that was hung up over REST ends when the carrier is well again', async () => {
      const { phone, end } = await talk.call({}, { options: { start, hangUpAfterMs: 1_500 } });
      expect(end).toMatchObject({ type: 'call.ended.v1', reason: 'cancelled' });
      await untilRefusedOften();
      expect(phone?.isOver).toBe(false);
      server.refuses = undefined;
      await until(() => phone?.isOver);
      expect(phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
      const about = expect.stringMatching(
        /^Call .* was not hung up, so the carrier is asked again: /,
      ) as string;
      expect(talk.problems).toContainEqual(about);
    });

  test('a phone whose call was taken back stops ringing when the carrier is well again', async () => {
    const { end } = await talk.call({ ringMs: 50_000 }, { options: { hangUpAfterMs: 500 } });
    const phone = await until(() => talk.standIn.calls[0]);
    expect(end).toMatchObject({ type: 'call.failed.v1', reason: 'cancelled' });
    await untilRefusedOften();
    expect(phone.isOver).toBe(false);
    server.refuses = undefined;
    await until(() => phone.isOver);
    expect(phone).toMatchObject({ endedBy: 'runtime', complaints: [] });
  });

  // Twilio gets the refusal in the answer to its webhook.
  if (name !== 'twilio')
    test('a caller who is refused hears it when the carrier is well again', async () => {
      const ringing = talk.ringRefused('do_not_call');
      await untilRefusedOften();
      server.refuses = undefined;
      expect((await ringing).refusedAs).toMatch(/rejected/i);
    });

  if (name === 'telnyx')
    test('a process that ends tries no longer to hang up than a few seconds', async () => {
      const { phone } = await talk.call({}, { options: { start, hangUpAfterMs: 1_500 } });
      await talk.close();
      expect(phone?.endedBy).toBe('carrier');
      expect(talk.problems.at(-1)).toMatch(/^Call .* was not hung up: /);
    });
});

describe.each(['telnyx', 'twilio', 'twilio that speaks', 'asterisk'] as const)(
  'With a carrier that does not answer: %s',
  (name) => {
    let talk: CarrierTalk;
    let server: CarrierServer;
    beforeEach(async () => {
      talk = await CarrierTalk.start(name);
      server = talk.standIn as unknown as CarrierServer;
    });
    afterEach(async () => {
      expect(talk.problems).toEqual([]);
      await talk.close();
    });

    // The dialplan of Asterisk connects the person, and reports nothing.
    if (name !== 'asterisk')
      test('a person who was connected with a number is connected, if the carrier reports it', async () => {
        server.unanswered = /^POST .*(\/Calls\/CA\w+\.json|\/actions\/transfer)$/;
        const speaker = findSpeaker(name === 'twilio that speaks' ? 'relay' : name);
        const call = await connectWithSales(talk, { ...speaker, connectedMs: 1_000 }, '+15559998888');
        expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'call_transfer', by: 'agent' });
        expect(call.warnings.filter(({ code }) => code === 'transfer_failed')).toEqual([]);
        await until(() => call.phone?.isOver);
        expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
      });

    test('a person who is called and answers is spoken to, and has hung up at the end', async () => {
      server.unanswered = /^POST .*\/(Calls\.json|v2\/calls|ari\/channels(\?.*)?)$/;
      const call = await talk.call({ hangsUpAfterMs: 2_000 }, { options: { start } });
      expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
      expect(call.turns[0]).toMatchObject({ speaker: 'agent', text: 'Hello.' });
      expect(call.phone).toMatchObject({ endedBy: 'person', streams: 1, complaints: [] });
    });
  },
);
