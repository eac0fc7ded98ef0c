import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { TakeIncoming } from './phone/waiting-calls';
import type { Session } from './session';

/** The language of a call, for a carrier that hears and speaks. */
export interface CallSpeech {
  /** ISO 639-1, or with a country. */
  language: string;
  /** The voice of ElevenLabs that the agent names; '': none. */
  voice: string;
  terms: readonly string[];
}

export interface OutgoingCall {
  id: string;
  /** E.164. */
  to: string;
  /** E.164; '': the carrier's own number. */
  from: string;
  /** Whether the carrier should find out if a machine has answered. */
  detectsMachine: boolean;
  /** The time after which the carrier ends the call, if this process does not. */
  maximumMs: number;
  speech: CallSpeech;
}

/** A call that reached one of the carrier's numbers, and that the server has accepted. */
export interface AcceptedCall {
  id: string;
  /** The carrier's own id of it. */
  carrierId: string;
  maximumMs: number;
  speech: CallSpeech;
}

/** Places phone calls, and takes those that reach its numbers. */
export interface Carrier {
  /** Such as `Twilio`. */
  readonly name: string;
  /** Whether it hears the person and speaks the agent's words, so that only text comes here. */
  readonly speaks: boolean;
  /**
   * Resolves when somebody, or a machine, has answered.
   * @throws CallFailed with the reason, and the carrier's own code in its message, if nobody did; the reason of the signal
   */
  dial(call: OutgoingCall, signal: AbortSignal): Promise<Session>;
  /** Answers a call. @throws CallFailed if the caller has gone */
  pickUp(call: AcceptedCall, signal: AbortSignal): Promise<Session>;
  /** From now on, calls to the carrier's numbers are taken so. Before, they are refused. */
  takeCalls(take: TakeIncoming): void;
  /** For the requests of an HTTP server. @returns whether the path is one of this carrier */
  handle(request: IncomingMessage, response: ServerResponse): boolean;
  /** For the `upgrade` event of an HTTP server. @returns whether the path is one of this carrier */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}
