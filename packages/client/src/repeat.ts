import { ParleyError } from './errors';
import { pause } from './pause';
import { computePause, isKeyInUse, mayRepeat, type Repetition } from './retries';

/** Another request with the same key may take as long as its work and a lease of 15 seconds. */
const KEY_IN_USE_MS = 60_000;

export interface RepeatOptions {
  repetition: Repetition;
  /** The number of attempts that may follow the first. */
  maxRetries: number;
  signal?: AbortSignal;
}

/**
 * Sends a request, and again while it fails and may be repeated. The library and the console share it.
 * @param attempt throws a ParleyError for a refusal, or if there is no answer
 * @throws the error of the last attempt, or the reason of the signal
 */
export async function repeat<Answer>(
  attempt: () => Promise<Answer>,
  { repetition, maxRetries, signal }: RepeatOptions,
): Promise<Answer> {
  const inUseUntil = Date.now() + KEY_IN_USE_MS;
  for (let retries = 0; ;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof ParleyError)) throw error;
      const isInUse = isKeyInUse(error, repetition) && Date.now() < inUseUntil;
      if (!isInUse && (retries >= maxRetries || !mayRepeat(error, repetition))) throw error;
      const wanted = computePause(error, retries);
      await pause(isInUse ? Math.min(wanted, inUseUntil - Date.now()) : wanted, signal);
      if (!isInUse) retries += 1;
    }
  }
}
