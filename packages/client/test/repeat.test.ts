import { watchTimers } from '../../../test/support/timers';
import { until } from '../../../test/support/until';
import { ParleyError } from '../src/errors';
import { repeat } from '../src/repeat';

const MINUTE_MS = 60_000;

describe('A request whose key is in use', () => {
  afterEach(() => jest.restoreAllMocks());

  test('is sent again within a minute, whatever Retry-After demands, and then refused', async () => {
    const pauses = watchTimers(MINUTE_MS - 1_000, MINUTE_MS);
    let attempts = 0;
    const refused = repeat(
      () => {
        attempts += 1;
        throw new ParleyError({
          status: 409,
          code: 'IDEMPOTENCY_KEY_IN_USE',
          message: 'In use',
          retryAfter: 3_600,
        });
      },
      { repetition: 'keyed', maxRetries: 2 },
    ).catch((error: unknown) => error);
    await until(() => pauses.running === 1);
    const later = Date.now() + MINUTE_MS;
    jest.spyOn(Date, 'now').mockReturnValue(later);
    pauses.end();
    expect(await refused).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    expect(attempts).toBe(2);
  });
});
