const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** For what a program does after `run()`. */
const END_MS = 1_000;

/** Calls `stop` for the signals that end a process. @returns removes the listeners */
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
