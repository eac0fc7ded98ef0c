import { BusyError, readRetryAfter, Retries } from '../src/retries';
import { VirtualClock } from '../src/rehearsal/virtual-clock';

describe('A step of a turn', () => {
  let clock: VirtualClock;
  let controller: AbortController;
  let retries: Retries;
  beforeEach(() => {
    clock = new VirtualClock();
    controller = new AbortController();
    retries = new Retries(clock, controller.signal);
  });

  /** @returns the time until the next attempt; undefined: there is none */
  async function pause(error: Error): Promise<number | undefined> {
    const from = clock.now();
    let isTriedAgain: boolean | undefined;
    void retries.again(error).then((again) => (isTriedAgain = again));
    for (;;) {
      await new Promise<void>((resolve) => setImmediate(resolve));
      if (isTriedAgain !== undefined) return isTriedAgain ? clock.now() - from : undefined;
      clock.advance(1);
    }
  }

  test('is done once more at once after a failure', async () => {
    expect(await pause(new Error('cut'))).toBe(0);
    expect(await pause(new Error('cut'))).toBeUndefined();
  });

  test('waits for a busy service, longer each time, until the person has waited 4 s', async () => {
    const busy = new BusyError('busy');
    for (const ms of [250, 500, 1_000, 2_000]) {
      const waited = (await pause(busy)) ?? NaN;
      expect(waited).toBeGreaterThanOrEqual(ms);
      expect(waited).toBeLessThanOrEqual(ms * 1.25 + 1);
    }
    expect(await pause(busy)).toBeUndefined();
    expect(await pause(new Error('cut'))).toBe(0);
  });

  test('waits as long as the service says, if that is within a turn', async () => {
    expect(await pause(new BusyError('busy', 3_000))).toBeGreaterThanOrEqual(3_000);
    expect(await pause(new BusyError('busy', 2_000))).toBeUndefined();
    retries = new Retries(clock, controller.signal);
    expect(await pause(new BusyError('busy', 0))).toBeGreaterThanOrEqual(250);
    expect(await pause(new BusyError('busy', 60_000))).toBeUndefined();
  });

  test('waits no more when it is over', async () => {
    const again = retries.again(new BusyError('busy'));
    controller.abort();
    expect(await again).toBe(false);
    expect(await retries.again(new Error('cut'))).toBe(false);
  });
});

test.each([
  [undefined, undefined],
  ['2', 2_000],
  ['Thu, 01 Jan 1970 00:00:03 GMT', 2_000],
  ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
  ['soon', undefined],
])('a header Retry-After of %p asks for %p ms', (header, ms) => {
  expect(readRetryAfter(header, 1_000)).toBe(ms);
});
