import { ArgumentError } from './argument-error';
import { ParleyError } from './errors';
import type { RequestOptions, Schemas } from './types';
import { CALL, waitForEnd, type WaitOptions } from './wait-for-end';

type Call = Schemas['CallDetailDto'];

/** Waits for a call whose status changes with each reading. @returns the number of readings too */
async function wait(statuses: Call['status'][], options: WaitOptions): Promise<[Call['status'], number]> {
  let readings = 0;
  const read = ({ signal }: RequestOptions) =>
    new Promise<Call>((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason as Error));
      setTimeout(() => resolve({ status: statuses[readings++] } as Call), 10);
    });
  return [(await waitForEnd(CALL, read, options)).status, readings];
}

describe('Waiting for the end of a call', () => {
  test.each([Infinity, 3e9, 2 ** 31, 60_000])('may take %s ms', async (timeoutMs) => {
    expect(await wait(['queued', 'disconnected'], { timeoutMs })).toEqual(['disconnected', 2]);
  });

  test.each([NaN, 0, -1])('takes no time of %s ms', async (timeoutMs) => {
    await expect(wait(['disconnected'], { timeoutMs })).rejects.toThrow(ArgumentError);
  });

  describe('when the server refuses a reading', () => {
    beforeEach(() => jest.useFakeTimers());
    afterEach(() => jest.useRealTimers());

    /** Reads a call that is queued, then is refused once, then reads one that has ended. */
    function refuse(status: number, retryAfter: number) {
      const refusal = new ParleyError({ status, code: 'RATE_LIMITED', message: '', retryAfter });
      return jest
        .fn<Promise<Call>, []>()
        .mockResolvedValueOnce({ status: 'queued' } as Call)
        .mockRejectedValueOnce(refusal)
        .mockResolvedValue({ status: 'disconnected' } as Call);
    }

    test.each([429, 503])('waits for as long as Retry-After of %s says', async (status) => {
      const read = refuse(status, 2);
      const ended = waitForEnd(CALL, read, {});
      await jest.advanceTimersToNextTimerAsync();
      expect(read).toHaveBeenCalledTimes(2);
      await jest.advanceTimersByTimeAsync(1_999);
      expect(read).toHaveBeenCalledTimes(2);
      await jest.advanceTimersByTimeAsync(1);
      expect(await ended).toMatchObject({ status: 'disconnected' });
    });

    test('does not read again before Retry-After if its time ends earlier', async () => {
      const read = refuse(503, 60);
      const timeout = { code: 'TIMEOUT', message: expect.stringContaining('is queued') as string };
      const ended = expect(waitForEnd(CALL, read, { timeoutMs: 1_000 })).rejects.toMatchObject(timeout);
      await jest.advanceTimersByTimeAsync(1_000);
      await ended;
      expect(read).toHaveBeenCalledTimes(2);
    });
  });

  test('reads nothing if its signal was aborted before', async () => {
    const read = jest.fn<Promise<Call>, []>();
    const signal = AbortSignal.abort(new Error('Enough'));
    await expect(waitForEnd(CALL, read, { signal })).rejects.toThrow('Enough');
    expect(read).not.toHaveBeenCalled();
  });
});
