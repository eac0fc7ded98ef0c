interface WatchedTimers {
  /** The number of those that run. */
  readonly running: number;
  /** Ends them before their time. */
  end(): void;
  stop(): void;
}

/**
 * Watches the timers of this length that begin from now on, but not those of servers that test files share. Fake timers
 * would also stop those of the server.
 */
export function watchTimers(fromMs: number, toMs = fromMs): WatchedTimers {
  const watched = new Map<NodeJS.Timeout, () => void>();
  const { setTimeout: begin, clearTimeout: cancel } = globalThis;
  const watch = (run: (...values: unknown[]) => void, ms: number, ...values: unknown[]) => {
    const isOfServer = globalThis.SHARED_SERVERS_CONTEXT?.getStore() === true;
    if (isOfServer || !(ms >= fromMs && ms <= toMs)) return begin(run, ms, ...values);
    const end = () => {
      watched.delete(timer);
      run(...values);
    };
    const timer = begin(end, ms);
    watched.set(timer, end);
    return timer;
  };
  const forget = (timer?: NodeJS.Timeout) => {
    if (timer) watched.delete(timer);
    cancel(timer);
  };
  const spies = [
    jest.spyOn(globalThis, 'setTimeout').mockImplementation(watch as typeof setTimeout),
    jest.spyOn(globalThis, 'clearTimeout').mockImplementation(forget as typeof clearTimeout),
  ];
  return {
    get running() {
      return watched.size;
    },
    end() {
      for (const [timer, end] of [...watched]) {
        cancel(timer);
        end();
      }
    },
    stop: () => spies.forEach((spy) => spy.mockRestore()),
  };
}
