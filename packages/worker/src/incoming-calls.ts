import { type Claims, RINGING_MS } from './claims';
import type { Intake } from './intake';
import type { Claimed, IncomingAccepted, IncomingCall } from './messages';

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

  /** @returns the call, whose place must be released, or why it must not be answered */
  async take(call: IncomingCall): Promise<IncomingAccepted | { reason: string }> {
    const { claims, intake, stopping, late } = this.options;
    const until = Date.now() + RINGING_MS;
    if (!(await this.reserve())) return { reason: stopping.aborted ? 'stopping' : 'no_answer' };
    const answer = await claims.incoming(call, until, stopping, late);
    if ('reason' in answer) intake.release();
    return answer;
  }

  /** Waits for a place for as long as a caller does. */
  private async reserve(): Promise<boolean> {
    const { intake, stopping } = this.options;
    const patience = new AbortController();
    const end = () => patience.abort();
    const timer = setTimeout(end, RINGING_MS);
    stopping.addEventListener('abort', end);
    if (stopping.aborted) end();
    const isReserved = await intake.reserve(patience.signal);
    clearTimeout(timer);
    stopping.removeEventListener('abort', end);
    return isReserved;
  }
}
