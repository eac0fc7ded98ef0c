import type { Clock } from '../../clock';
import type { CarrierEnd } from './carrier-end';
import { PICK_UP_MS } from './time-limits';

export interface AnswerOptions {
  clock: Clock;
  signal: AbortSignal;
  /** Resolves when the phone was answered, whose stream has {@link PICK_UP_MS} to come. */
  pickedUp?: Promise<void>;
  /** Rejects if the call was not placed. It may be answered before this is known. */
  placed?: Promise<void>;
  /** The time after which the carrier is asked, because it reported nothing. */
  ms: number;
  /** The state of the call at the carrier. @returns undefined while it goes on */
  ask: () => Promise<CarrierEnd | undefined>;
}

/** Waits until a call is answered. @returns why nobody answered; undefined: somebody did. @throws the reason of the signal */
export async function awaitAnswer(
  answered: Promise<CarrierEnd | undefined>,
  { clock, signal, pickedUp, placed, ms, ask }: AnswerOptions,
): Promise<CarrierEnd | undefined> {
  // An interrupted dial does not read this promise any more, and an unread rejection would end the process.
  placed?.catch(() => undefined);
  signal.throwIfAborted();
  const limits: (() => void)[] = [];
  let isSettled = false;
  const expired = new Promise<'late'>((resolve) => {
    const limit = (time: number) => limits.push(clock.after(time, () => resolve('late')));
    limit(ms);
    void pickedUp?.then(() => isSettled || limit(PICK_UP_MS));
  });
  let aborted = () => undefined as void;
  const interrupted = new Promise<never>((_, reject) => {
    aborted = () => reject(signal.reason as Error);
    signal.addEventListener('abort', aborted, { once: true });
  });
  try {
    const settled = [answered, expired, interrupted];
    const end = await Promise.race([...settled, ...(placed ? [placed.then(() => answered)] : [])]);
    if (end !== 'late') return end;
    // Nothing came here, so the carrier may not reach this address.
    return (
      (await ask()) ?? {
        reason: 'error',
        answeredReason: 'error',
        detail: 'The carrier says that the call goes on, and sends no audio',
      }
    );
  } finally {
    isSettled = true;
    for (const cancel of limits) cancel();
    signal.removeEventListener('abort', aborted);
  }
}
