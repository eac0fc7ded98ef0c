/** Time as a conversation sees it, so that tests have a time of their own. */
export interface Clock {
  /** Milliseconds that only grow. */
  now(): number;
  /** @returns a function that cancels it */
  after(ms: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};
