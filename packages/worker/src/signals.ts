const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The time for the work of a program after `run()`. */
const END_MS = 1_000;

/**
 * Calls `stop` for the signals that end a process.
 * @returns a function that removes the listeners
 */
export function onSignals(stop: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, stop);
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
}

/** Ends the process, unless it ends by itself before. */
export function endProcess(): void {
  setTimeout(() => process.exit(), END_MS).unref();
}
