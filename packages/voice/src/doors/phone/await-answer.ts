import type { Clock } from '../../clock';
import type { CarrierEnd } from './carrier-end';

export interface AnswerOptions {
  clock: Clock;
  signal: AbortSignal;
  /** The time after which the carrier is asked, because it reported nothing. */
  ms: number;
  /** The state of the call at the carrier. @returns undefined while it goes on */
  ask: () => Promise<CarrierEnd | undefined>;
}

/** Waits until a call is answered. @returns why nobody answered; undefined: somebody did. @throws the reason of the signal */
export async function awaitAnswer(
  answered: Promise<CarrierEnd | undefined>,
  { clock, signal, ms, ask }: AnswerOptions,
): Promise<CarrierEnd | undefined> {
  signal.throwIfAborted();
  let late = () => undefined as void;
  const expired = new Promise<'late'>((resolve) => {
    late = clock.after(ms, () => resolve('late'));
  });
  let aborted = () => undefined as void;
  const interrupted = new Promise<never>((_, reject) => {
    aborted = () => reject(signal.reason as Error);
    signal.addEventListener('abort', aborted, { once: true });
  });
  try {
    const end = await Promise.race([answered, expired, interrupted]);
    if (end !== 'late') return end;
    // Nothing came here, so the carrier may not reach this address.
    return (
      (await ask()) ?? {
        reason: 'error',
        detail: 'The carrier says that the call goes on, and sends no audio',
      }
    );
  } finally {
    late();
    signal.removeEventListener('abort', aborted);
  }
}
