import { inspect } from 'node:util';
import type { DisconnectReason } from './messages';

/** Thrown by a handler: the call was not answered. Once it was connected, it ends as an error instead. */
export class CallFailed extends Error {
  constructor(
    readonly reason: DisconnectReason = 'dial_failed',
    message = `The call failed: ${reason}`,
  ) {
    super(message);
    this.name = 'CallFailed';
  }
}

/**
 * The reason why the server, or this worker, does not take an incoming call. A later server may have further
 * reasons.
 */
export type RefusalReason =
  | 'unknown_number'
  | 'agent_off'
  | 'insufficient_credits'
  | 'too_many_calls'
  | 'do_not_call'
  | 'no_answer'
  | 'stopping'
  | 'taken'
  | (string & {});

/** Thrown by `worker.incoming()`: do not answer the call. */
export class IncomingRefused extends Error {
  constructor(
    readonly reason: RefusalReason,
    /** The worker that has the call, if the reason is `taken`. */
    readonly workerId?: string,
  ) {
    super(`The incoming call was refused: ${reason}`);
    this.name = 'IncomingRefused';
  }
}

/** The reason of `call.signal`: a client hung up, or the worker stops. */
export class CallInterrupted extends Error {
  constructor(readonly code: 'hangup' | 'stopping') {
    super(code === 'hangup' ? 'The call was hung up.' : 'The worker stops.');
    this.name = 'CallInterrupted';
  }
}

/** The stack of an error, or a thrown value as a text. Does not throw, whatever was thrown. */
export function describeThrown(thrown: unknown): string {
  try {
    if (typeof thrown === 'string') return thrown;
    return thrown instanceof Error ? String(thrown.stack ?? thrown.message) : inspect(thrown);
  } catch {
    return 'It threw a value that cannot be written as a text.';
  }
}
