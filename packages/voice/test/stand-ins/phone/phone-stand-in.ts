import type { Handset, Person } from './handset';

/** A call at the stand-in of a carrier. */
export interface PhoneCallRecord {
  id: string;
  to: string;
  from: string;
  /** Whether the carrier has ended the call. */
  isOver: boolean;
  endedBy?: 'person' | 'runtime' | 'carrier';
  /** The moments by the clock of the stand-in, `performance.now()`. */
  answeredAt?: number;
  /** Another number has answered, with which the person talks from then on. */
  transferredAt?: number;
  endedAt?: number;
  /** The time limit, in seconds, by which the carrier ended the call. undefined: something else ended it. */
  endedByLimit?: number;
  handset?: Handset;
  digits: string;
  transferredTo?: string;
  /** The longest time for which the carrier lets both talk, in seconds. */
  transferLimit?: number;
  /** The sentence of the carrier about what the runtime did wrong. */
  complaints: string[];
  /** The number of media streams that were connected. */
  streams: number;
  refusedAs?: string;
  /** The address to which the carrier reports about the call. */
  readonly callbackUrl: string;
}

/** Somebody who calls a number of the account. */
export interface IncomingCall {
  to: string;
  from: string;
  person?: Person;
}

/** The stand-in of a carrier, as tests use it. */
export interface PhoneStandIn {
  readonly apiUrl: string;
  readonly calls: PhoneCallRecord[];
  /** The person who answers at a number. */
  expect(number: string, person: Person): void;
  /** Resolves when the runtime has answered or refused. */
  ringIn(call: IncomingCall): Promise<PhoneCallRecord>;
  /** The address to which the account's calls and webhooks go. */
  webhookUrl: string;
  close(): Promise<void>;
}
