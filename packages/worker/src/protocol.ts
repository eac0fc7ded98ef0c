import type { ApiOfCall, CallStart, IncomingCall, TranscriptTurn } from './messages';
import type { LogLevel } from './logger';

/**
 * The messages between the worker, which runs handlers, and its engine, which speaks with the broker. With RabbitMQ the
 * engine has a thread of its own, so that a handler that blocks the event loop does not stop heartbeats.
 */
export type ToEngine =
  | { kind: 'report'; id: number; report: Report }
  | { kind: 'turn'; call: CallKey; turn: TranscriptTurn }
  | { kind: 'incoming'; id: number; call: IncomingCall }
  /** The answer to a ping. */
  | { kind: 'pong' }
  /** Take no more, and return what is not claimed. Is answered by `drained`. */
  | { kind: 'drain' }
  /** Send the reports that are left for up to `waitMs`, and close. Is answered by `closed`. */
  | { kind: 'close'; waitMs: number };

export type FromEngine =
  /** The first success. */
  | { kind: 'running' }
  /** It will never run. */
  | { kind: 'refused'; message: string }
  | { kind: 'connection'; isUp: boolean }
  | { kind: 'call'; start: CallStart; key: CallKey; api?: ApiOfCall }
  | { kind: 'hangup'; conversationId: string }
  /** A report is in the outbox. */
  | { kind: 'kept'; id: number }
  | { kind: 'incoming'; id: number; answer: IncomingAnswer }
  | { kind: 'stats'; stats: EngineStats }
  | { kind: 'log'; level: LogLevel; message: string; details?: object }
  | { kind: 'ping' }
  | { kind: 'drained' }
  | { kind: 'closed' };

export type IncomingAnswer = { start: CallStart; key: CallKey; api?: ApiOfCall } | { reason: string };

/** What each report of a call has. */
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
}

export interface EngineStats {
  claimed: number;
  refused: number;
  unconfirmed: number;
}
