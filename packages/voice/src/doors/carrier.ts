import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Offer, OfferAnswer } from '../net/offers';
import type { OtherRuntimes, TakeIncoming } from './phone/waiting-calls';
import type { CallSpeech, CarrierSpeech } from '../speech/carrier-speech';
import type { Session } from './session';

/** A phone call, in either direction. */
interface PhoneCall {
  id: string;
  /** Is called once, when somebody or a machine has answered: from then on the carrier charges. */
  answered?: (at: number) => void;
}

export interface OutgoingCall extends PhoneCall {
  /** E.164. */
  to: string;
  /** E.164; '': the carrier's own number. */
  from: string;
  /** Whether the carrier should find out if a machine has answered. */
  detectsMachine: boolean;
  /** The longest time of the agent. The carrier ends the call a minute later, if this process does not. */
  maximumMs: number;
  /** The carrier ends the call within this time after this process was killed. */
  leaseSeconds: number;
  /** Whether the agent may connect the person with another number. Such a call may last longer. */
  mayTransfer: boolean;
  speech: CallSpeech;
}

/** A call that reached one of the carrier's numbers, and that the server has accepted. */
export interface AcceptedCall extends PhoneCall {
  /** The carrier's number that was called. */
  number: string;
  /** The same as of an outgoing call. */
  leaseSeconds: number;
  speech: CallSpeech;
}

/** Hears of the signature of a request before it is answered. */
export interface SignatureListener {
  /** It is the carrier's. The answer may still be a refusal. */
  signed(): void;
  /** It is wrong. @returns the status of the answer */
  forged(): number;
}

/** Places phone calls, and takes those that reach its numbers. */
export interface Carrier {
  /** Such as `Twilio`. */
  readonly name: string;
  /** Its own hearing and voice, with which only text comes here. undefined: audio comes here. */
  readonly speech?: CarrierSpeech;
  /**
   * Resolves when somebody, or a machine, has answered.
   * @throws CallFailed if nobody has answered. It has the reason, and its message has the code of the carrier.
   * @throws the reason of the signal if it is aborted
   */
  dial(call: OutgoingCall, signal: AbortSignal): Promise<Session>;
  /** Answers the caller for whom the server has accepted the call. @throws CallFailed if there is none, or no more */
  pickUp(call: AcceptedCall, signal: AbortSignal): Promise<Session>;
  /** Sets how calls to the carrier's numbers are taken. Until then, they are refused. */
  takeCalls(take: TakeIncoming, others?: OtherRuntimes): void;
  /**
   * Takes a call that reached another runtime. @returns undefined if this one takes none now
   * @param withdrawn is aborted when the other runtime waits no more
   */
  offered(offer: Offer, withdrawn: AbortSignal): Promise<OfferAnswer | undefined>;
  /** Answers another runtime about a call that this one has claimed. @returns undefined if it has left the call */
  repeated(id: string): Promise<OfferAnswer | undefined>;
  /** For the requests of an HTTP server. @returns whether the path is one of this carrier */
  handle(request: IncomingMessage, response: ServerResponse, signature?: SignatureListener): boolean;
  /** Whether a request with `Upgrade` is a stream of this carrier, and a call waits for it. */
  expects(request: IncomingMessage): boolean;
  /** For the `upgrade` event of an HTTP server. @returns whether the path is one of this carrier */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean;
}
