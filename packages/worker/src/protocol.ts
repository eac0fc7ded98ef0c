import type { ApiOfCall, CallStart, IncomingCall, ProviderOfWorker, TranscriptTurn } from './messages';
import type { LogLevel } from './logger';

/**
 * The messages between the worker, which runs handlers, and its engine, which is connected to the broker. With
 * RabbitMQ the engine has a thread of its own, so that a handler that blocks the event loop does not stop
 * heartbeats.
 */
export type ToEngine =
  | { kind: 'report'; id: number; report: Report }
  | { kind: 'turn'; call: CallKey; turn: TranscriptTurn; traceparent?: string }
  | { kind: 'incoming'; id: number; call: IncomingCall }
  /** The call goes on, and takes a place from now on, or none. */
  | { kind: 'place'; conversationId: string; isTaken: boolean }
  /** The providers that the process asks, for the next hello. */
  | { kind: 'providers'; providers: ProviderOfWorker[] }
  /** The caller of an incoming call waits no more. */
  | { kind: 'leave'; id: number }
  /** The answer to a ping. */
  | { kind: 'pong' }
  /** Takes no more calls, and returns those that are not claimed. The answer is `drained`. */
  | { kind: 'drain' }
  /** Sends the remaining reports for up to `waitMs`, and closes. The answer is `closed`. */
  | { kind: 'close'; waitMs: number };

export type FromEngine =
  /** The engine runs for the first time. */
  | { kind: 'running' }
  /** The engine will never run. */
  | { kind: 'refused'; message: string }
  | { kind: 'connection'; isUp: boolean }
  | { kind: 'call'; start: CallStart; key: CallKey; grant: Grant }
  | { kind: 'hangup'; conversationId: string }
  /** A report is in the outbox. */
  | { kind: 'kept'; id: number }
  | { kind: 'incoming'; id: number; answer: IncomingAnswer }
  | { kind: 'stats'; stats: EngineStats }
  | { kind: 'log'; level: LogLevel; message: string; details?: object }
  | { kind: 'ping' }
  | { kind: 'drained' }
  | { kind: 'closed' };

/** Why a call must not be answered. `workerId`: the worker that has it. */
export interface IncomingRefusal {
  reason: string;
  workerId?: string;
}

export type IncomingAnswer = { start: CallStart; key: CallKey; grant: Grant } | IncomingRefusal;

/** The members of the server's grant of a call that its handler uses. */
export interface Grant {
  api?: ApiOfCall;
  leaseSeconds: number;
}

/** The fields that each report of a call has. */
export interface CallKey {
  conversationId: string;
  token: string;
}

/** `end`: the last report of the state of a call. Its handler is over, and its heartbeats end when it is confirmed. */
export interface Report {
  call: CallKey;
  type: string;
  fields: object;
  end?: boolean;
  /** The span that published it, in the trace of the call. */
  traceparent?: string;
}

export interface EngineStats {
  claimed: number;
  refused: number;
  unconfirmed: number;
}
