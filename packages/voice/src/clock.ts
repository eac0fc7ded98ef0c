/** Time as a conversation sees it, so that rehearsals and tests have a time of their own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** The time of day. */
  date(): Date;
  /** @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
}

/** A timer that is later than this fires after what has arrived meanwhile. */
const LATE_MS = 50;

export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => new Date(),
  after(ms, run) {
    const dueAt = performance.now() + ms;
    let immediate: NodeJS.Immediate | undefined;
    const timer = setTimeout(() => {
      // After a stall, Node.js runs timers before it reads sockets. What a timer waits for may be there already.
      if (performance.now() - dueAt > LATE_MS) immediate = setImmediate(run);
      else run();
    }, ms);
    return () => {
      clearTimeout(timer);
      clearImmediate(immediate);
    };
  },
};

/** Ends early when the signal is aborted. */
export const pause = (clock: Clock, ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    if (signal.aborted) done();
    else signal.addEventListener('abort', done, { once: true });
  });
