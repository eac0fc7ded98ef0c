import { ArgumentError } from './argument-error';
import { ParleyError } from './errors';
import type { RequestOptions, Schemas } from './types';
import { waitForEnd, type WaitOptions } from './wait-for-end';

type Call = Schemas['CallDetailDto'];

/** Waits for a call whose status changes with each reading. @returns the number of readings too */
async function wait(statuses: Call['status'][], options: WaitOptions): Promise<[Call['status'], number]> {
  let readings = 0;
  const read = ({ signal }: RequestOptions) =>
    new Promise<Call>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      setTimeout(() => resolve({ status: statuses[readings++] } as Call), 10);
    });
  return [(await waitForEnd(read, options)).status, readings];
}

describe('Waiting for the end of a call', () => {
  test.each([Infinity, 3e9, 2 ** 31, 60_000])('may take %s ms', async (timeoutMs) => {
    expect(await wait(['queued', 'disconnected'], { timeoutMs })).toEqual(['disconnected', 2]);
  });

  test.each([NaN, 0, -1])('takes no time of %s ms', async (timeoutMs) => {
    await expect(wait(['disconnected'], { timeoutMs })).rejects.toThrow(ArgumentError);
  });

  /** Reads a call that is queued, then is refused for some seconds, then reads one that has ended. */
  async function waitDespite(status: number, retryAfter: number, options: WaitOptions) {
    const readAt: number[] = [];
    const read = () => {
      readAt.push(Date.now());
      if (readAt.length === 2)
        return Promise.reject(new ParleyError({ status, code: 'RATE_LIMITED', message: '', retryAfter }));
      return Promise.resolve({ status: readAt.length === 1 ? 'queued' : 'disconnected' } as Call);
    };
    const ended = await waitForEnd(read, options).catch((error: unknown) => error);
    return { ended, readings: readAt.length, paused: (readAt[2] ?? 0) - (readAt[1] ?? 0) };
  }

  test.each([429, 503])('waits for as long as Retry-After of %s says', async (status) => {
    const { ended, paused } = await waitDespite(status, 2, {});
    expect(ended).toMatchObject({ status: 'disconnected' });
    expect(paused).toBeGreaterThanOrEqual(2_000);
  });

  test('does not read again before Retry-After if its time ends earlier', async () => {
    const { ended, readings } = await waitDespite(503, 60, { timeoutMs: 1_000 });
    expect(ended).toMatchObject({ code: 'TIMEOUT', message: expect.stringContaining('is queued') as string });
    expect(readings).toBe(2);
  });

  test('reads nothing if its signal was aborted before', async () => {
    const read = jest.fn<Promise<Call>, []>();
    const signal = AbortSignal.abort(new Error('Enough'));
    await expect(waitForEnd(read, { signal })).rejects.toThrow('Enough');
    expect(read).not.toHaveBeenCalled();
  });
});
