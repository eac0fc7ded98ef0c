import type { TwilioCall } from './stand-ins/twilio/call';
import { CarrierTalk } from './support/carriers';
import { connectWithSales, findSpeaker } from './support/shared-calls';

jest.setTimeout(30_000);

const SALES = '+15559998888';
const speaks = findSpeaker('twilio');

describe('A person whom the agent connects with a number', () => {
  let talk: CarrierTalk;
  beforeAll(async () => {
    talk = await CarrierTalk.start('twilio');
  });
  afterAll(() => talk.close());

  test('is heard by users of the workspace only until then', async () => {
    const { events, end } = await connectWithSales(talk, speaks, SALES);

    expect(end.reason).toBe('call_transfer');
    const listening = events.flatMap(
      ({ body }) => (body.listen ?? []) as { url: string; expires_at: string },
    );
    expect(listening).toHaveLength(2);
    expect(listening[1]).toEqual({ url: listening[0]?.url, expires_at: '1970-01-01T00:00:00.000Z' });
    expect(Date.parse(listening[0]?.expires_at ?? '')).toBeGreaterThan(Date.now());
  });

  test('has hung up, if that was before the server refuses the number', async () => {
    const allowTransfer = async () => {
      const phone = talk.standIn.calls.at(-1) as TwilioCall;
      phone.end('completed', 'person');
      await phone.reported;
      throw new Error('to_number is on the do-not-call list');
    };
    const call = await connectWithSales(talk, speaks, SALES, { allowTransfer });

    expect(call.end).toMatchObject({ type: 'call.ended.v1', reason: 'user_hangup', by: 'user' });
    expect(call.warnings.filter(({ code }) => code === 'transfer_failed')).toEqual([]);
    expect(call.phone).toMatchObject({ endedBy: 'person', complaints: [] });
  });
});
