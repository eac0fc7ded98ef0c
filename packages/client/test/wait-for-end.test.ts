import { watchTimers } from '../../../test/support/timers';
import { until } from '../../../test/support/until';
import { ArgumentError } from '../src/argument-error';
import { ParleyError } from '../src/errors';
import type { RequestOptions, Schemas } from '../src/types';
import { CALL, waitForEnd, type WaitOptions } from '../src/wait-for-end';

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
    afterEach(() => jest.restoreAllMocks());

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
      const pauses = watchTimers(60_000);
      const read = refuse(status, 60);
      const ended = waitForEnd(CALL, read, {});
      await until(() => pauses.running === 1);
      expect(read).toHaveBeenCalledTimes(2);
      pauses.end();
      expect(await ended).toMatchObject({ status: 'disconnected' });
    });

    test('does not read again before Retry-After if its time ends earlier', async () => {
      const pauses = watchTimers(30_000, 60_000);
      const read = refuse(503, 61);
      const timeout = { code: 'TIMEOUT', message: expect.stringContaining('is queued') as string };
      const ended = expect(waitForEnd(CALL, read, { timeoutMs: 60_000 })).rejects.toMatchObject(timeout);
      await until(() => read.mock.calls.length === 2 && pauses.running === 1);
      pauses.end();
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
