import { ParleyError } from './errors';
import { repeat } from './repeat';

const MINUTE_MS = 60_000;

describe('A request whose key is in use', () => {
  beforeEach(() => jest.useFakeTimers());
  afterEach(() => jest.useRealTimers());

  test('is sent again within a minute, whatever Retry-After demands, and then refused', async () => {
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
    await jest.advanceTimersByTimeAsync(MINUTE_MS);
    expect(await refused).toMatchObject({ code: 'IDEMPOTENCY_KEY_IN_USE' });
    expect(attempts).toBe(2);
  });
});
