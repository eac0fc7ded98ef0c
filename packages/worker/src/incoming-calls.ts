import { type Claims, RINGING_MS } from './claims';
import type { Intake } from './intake';
import type { Claimed, IncomingAccepted, IncomingCall } from './messages';
import type { IncomingRefusal } from './protocol';

export interface IncomingCallsOptions {
  claims: Claims;
  intake: Intake;
  /** Aborted when no more calls are taken. */
  stopping: AbortSignal;
  /** Called if the server accepted a call after its caller had gone. */
  late: (accepted: Claimed) => void;
}

/** Requests the calls that reach the worker. They need a free place, as calls of the queue do. */
export class IncomingCalls {
  constructor(private readonly options: IncomingCallsOptions) {}

  /**
   * @param left is aborted when the caller waits no more
   * @returns the call, whose place must be released, or why it must not be answered
   */
  async take(call: IncomingCall, left: AbortSignal): Promise<IncomingAccepted | IncomingRefusal> {
    const { claims, intake, stopping, late } = this.options;
    const until = Date.now() + RINGING_MS;
    const ended = AbortSignal.any([stopping, left]);
    const toReason = (reason: string) => (stopping.aborted ? 'stopping' : reason);
    if (!(await this.reserve(ended))) return { reason: toReason('no_answer') };
    const answer = await claims.incoming(call, until, ended, late);
    if (!('reason' in answer)) return answer;
    intake.release();
    return left.aborted ? { reason: toReason('no_answer') } : answer;
  }

  /** Waits for a place for as long as a caller does. */
  private async reserve(ended: AbortSignal): Promise<boolean> {
    const patience = new AbortController();
    const end = () => patience.abort();
    const timer = setTimeout(end, RINGING_MS);
    ended.addEventListener('abort', end);
    if (ended.aborted) end();
    const isReserved = await this.options.intake.reserve(patience.signal);
    clearTimeout(timer);
    ended.removeEventListener('abort', end);
    return isReserved;
  }
}
