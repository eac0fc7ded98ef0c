import { until } from '../../../test/support/until';
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
    const listening = events.flatMap(({ body }) => (body.listen ?? []) as { url: string; expires_at: string });
    expect(listening).toHaveLength(2);
    expect(listening[1]).toEqual({ url: listening[0]?.url, expires_at: '1970-01-01T00:00:00.000Z' });
    expect(Date.parse(listening[0]?.expires_at ?? '')).toBeGreaterThan(Date.now());
  });
});
