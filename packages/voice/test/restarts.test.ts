import { until } from '../../../test/support/until';
import type { CarrierServer } from './stand-ins/phone/carrier-server';
import type { PhoneCallRecord } from './stand-ins/phone/phone-stand-in';
import type { TelnyxCall } from './stand-ins/telnyx/call';
import type { TelnyxStandIn } from './stand-ins/telnyx/telnyx-stand-in';
import type { TwilioCall } from './stand-ins/twilio/call';
import type { TwilioStandIn } from './stand-ins/twilio/twilio-stand-in';
import { type CarrierName, CarrierTalk, describeAccount } from './support/carriers';
import { openCarrier } from './support/phone-talk';

type Restarted = Awaited<ReturnType<typeof openCarrier>>;

describe.each<[CarrierName, number]>([
  ['twilio', 204],
  ['telnyx', 200],
])('A report of %s that is sent again after a restart of the runtime', (name, status) => {
  let talk: CarrierTalk;
  let restarted: Restarted;
  let problems: string[];
  beforeEach(async () => {
    talk = await CarrierTalk.start(name);
    problems = [];
    const note = (sentence: string) => void problems.push(sentence);
    // It has the same account and address, and knows none of the calls.
    const account = describeAccount(talk.standIn as TwilioStandIn | TelnyxStandIn);
    const settings = { ...account, VOICE_PUBLIC_URL: talk.publicUrl };
    restarted = await openCarrier(settings, { warn: note, error: note });
  });
  afterEach(async () => {
    await restarted.end();
    restarted.leave();
    await talk.close();
  });

  const dial = (id: string, to: string) =>
    talk.carrier.dial(
      {
        ...{ id, to, from: '', detectsMachine: true, maximumMs: 60_000, mayTransfer: true, leaseSeconds: 30 },
        speech: { language: 'en', voice: '', terms: [] },
      },
      new AbortController().signal,
    );
  const find = (to: string) => talk.standIn.calls.find((call) => call.to === to);

  /** Sends what the carrier has reported about a call so far again, to the runtime that was started again. */
  async function sendAgain(phone: PhoneCallRecord | undefined): Promise<void> {
    const { sent } = phone as TwilioCall | TelnyxCall;
    for (const { url, body, headers } of sent.slice()) {
      const again = `${restarted.url}${new URL(url).pathname}`;
      expect((await fetch(again, { method: 'POST', body, headers })).status).toBe(status);
    }
  }

  /** Does something while the carrier does not say what becomes of a call. */
  async function withoutAnswer(act: () => Promise<void>): Promise<void> {
    const server = talk.standIn as unknown as CarrierServer;
    server.refuses = { requests: /^GET /, status: 503 };
    await act();
    await until(() => problems.length > 0);
    server.refuses = undefined;
    expect(problems.splice(0)).toEqual([expect.stringContaining('so the carrier is asked again')]);
  }

  test.each([
    ['that answers', (act: () => Promise<void>) => act()],
    ['that does not answer for a while', withoutAnswer],
  ])(
    'leaves two persons connected, and ends a call that nobody conducts, with a carrier %s',
    async (_, meanwhile) => {
      talk.standIn.expect('+15550000001', { connectedMs: 60_000 });
      const session = await dial('call-1', '+15550000001');
      expect(await session.transfer?.('+15559998888', 3_600)).toBe(true);
      session.end('call_transfer');
      await meanwhile(() => sendAgain(find('+15550000001')));

      talk.standIn.expect('+15550000002', { ringMs: 50_000 });
      const ringing = dial('call-2', '+15550000002').catch(() => undefined);
      const lost = await until(() => find('+15550000002'));
      await until(() => (lost as TwilioCall | TelnyxCall).sent.length > 0);
      await meanwhile(() => sendAgain(lost));
      await until(() => lost.isOver);
      expect(lost.endedBy).toBe('runtime');
      expect(find('+15550000001')).toMatchObject({ isOver: false, transferredTo: '+15559998888' });
      await ringing;
      expect(problems).toEqual([]);
    },
  );
});
