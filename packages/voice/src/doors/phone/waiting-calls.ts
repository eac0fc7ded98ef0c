import { IncomingRefused, type IncomingCall } from '@parley/worker';
import type { Clock } from '../../clock';
import { describeError } from '../../errors';

/** Asks the server for an incoming call, and runs its handler. Resolves when the call has ended. */
export type TakeIncoming = (call: IncomingCall) => Promise<unknown>;

/** The server's answer about a call that waits at the carrier. */
export type IncomingAnswer = { callId: string } | { refusal: string };

/** Carriers wait about 15 s for the answer to a webhook. */
const WAIT_MS = 12_000;
const MAX_WAITING = 1_000;
/** A withheld number has words or a few digits instead. */
const E164 = /^\+[1-9]\d{6,14}$/;

/** The calls that reached a carrier's numbers and wait for the server's answer. */
export class WaitingCalls {
  private readonly waiting = new Map<string, (answer: IncomingAnswer) => void>();

  constructor(
    private readonly clock: Clock,
    private readonly warn: (sentence: string) => void,
  ) {}

  /** Asks the server. @param id of the call at the carrier @returns undefined if the call waits already */
  async ask(
    id: string,
    { to, from }: { to: string; from: string },
    take: TakeIncoming | undefined,
  ): Promise<IncomingAnswer | undefined> {
    if (this.waiting.has(id)) return undefined;
    if (!take || this.waiting.size >= MAX_WAITING) return { refusal: 'too_many_calls' };
    if (!E164.test(to)) return { refusal: 'unknown_number' };
    const answer = new Promise<IncomingAnswer>((resolve) => this.waiting.set(id, resolve));
    const stop = this.clock.after(WAIT_MS, () => this.settle(id, { refusal: 'no_answer' }));
    const call = { to_number: to, from_number: E164.test(from) ? from : '', external_id: id };
    take(call).catch((error: unknown) => {
      if (!(error instanceof IncomingRefused)) this.warn(`An incoming call failed: ${describeError(error)}`);
      this.settle(id, { refusal: error instanceof IncomingRefused ? error.reason : 'no_answer' });
    });
    try {
      return await answer;
    } finally {
      stop();
    }
  }

  /** The server has accepted it as this call. @returns whether the caller still waits */
  accept(id: string, callId: string): boolean {
    return this.settle(id, { callId });
  }

  has(id: string): boolean {
    return this.waiting.has(id);
  }

  private settle(id: string, answer: IncomingAnswer): boolean {
    const resolve = this.waiting.get(id);
    this.waiting.delete(id);
    resolve?.(answer);
    return resolve !== undefined;
  }
}
