const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Calls `stop` for the signals that end a process. @returns removes the listeners */
export function onSignals(stop: () => void): () => void {
  for (const signal of SIGNALS) process.on(signal, stop);
  return () => {
    for (const signal of SIGNALS) process.off(signal, stop);
  };
}
