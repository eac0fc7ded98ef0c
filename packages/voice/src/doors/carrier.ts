import type { Session } from './session';

export interface OutgoingCall {
  id: string;
  /** E.164. */
  to: string;
  /** E.164; '': the carrier's own number. */
  from: string;
  /** Whether the carrier should find out if a machine has answered. */
  detectsMachine: boolean;
}

/** Places phone calls. */
export interface Carrier {
  /**
   * Resolves when somebody, or a machine, has answered.
   * @throws CallFailed with the reason if nobody did; the reason of the signal
   */
  dial(call: OutgoingCall, signal: AbortSignal): Promise<Session>;
}
