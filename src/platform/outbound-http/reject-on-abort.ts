/** Ends a wait for undici, which does not interrupt a request while it resolves the name and connects. */
export const rejectOnAbort = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(new Error('The request was interrupted.')), { once: true });
  });
