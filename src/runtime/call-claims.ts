import { randomUUID } from 'node:crypto';
import { CALL_START_LIMITS } from '../messaging/message-body';
import { type IncomingMessage, MessageBroker, type OutgoingMessage } from '../messaging/message-broker';
import { retry } from '../messaging/retry';
import { Topology } from '../messaging/topology';
import {
  type CallStart,
  type Claim,
  type Claimed,
  type Incoming,
  type IncomingAccepted,
  type IncomingRefused,
  MESSAGE_TYPES,
} from '../messaging/wire';

const LONGEST_PAUSE_MS = 2_000;

/** How long a person lets it ring. */
const RINGING_MS = 30_000;

export interface CallClaimsOptions {
  broker: MessageBroker;
  topology: Topology;
  workerId: string;
  timeoutMs: number;
  /** Ends the attempts. */
  stopping: AbortSignal;
}

/** Asks the server for the right to place calls. */
export class CallClaims {
  constructor(private readonly options: CallClaimsOptions) {}

  /**
   * Claims a call, for one delivery of its message.
   * @returns undefined if the server refuses it
   * @throws if the server could not be reached, or did not answer
   */
  async claim({ conversation_id, expires_at }: CallStart): Promise<Claimed | undefined> {
    const { workerId } = this.options;
    // The same in each attempt: the server may have granted it, and its reply was lost.
    const claim: Claim = { conversation_id, claim_id: randomUUID(), worker_id: workerId };
    const reply = await this.ask(MESSAGE_TYPES.claim, claim, Date.parse(expires_at));
    return reply.type === MESSAGE_TYPES.claimed ? (reply.body as Claimed) : undefined;
  }

  /**
   * Asks for a call that has reached this runtime.
   * @throws like {@link claim}, when the caller would have hung up
   */
  async incoming(
    call: Pick<Incoming, 'to_number' | 'from_number'>,
  ): Promise<IncomingAccepted | IncomingRefused> {
    const incoming: Incoming = { ...call, claim_id: randomUUID(), worker_id: this.options.workerId };
    const reply = await this.ask(MESSAGE_TYPES.incoming, incoming, Date.now() + RINGING_MS);
    return reply.body as IncomingAccepted | IncomingRefused;
  }

  private ask(type: string, body: Claim | Incoming, until: number): Promise<IncomingMessage> {
    return retry(() => this.request(type, body), {
      // If the reply with a grant was lost, only another attempt can learn of it.
      maxAttempts: Infinity,
      longestPauseMs: LONGEST_PAUSE_MS,
      signal: this.options.stopping,
      shouldRetry: () => Date.now() < until,
    });
  }

  private request(type: string, body: Claim | Incoming) {
    const { broker, topology, timeoutMs } = this.options;
    const request: OutgoingMessage = {
      exchange: '',
      routingKey: topology.claimsQueue,
      type,
      messageId: randomUUID(),
      body,
      // A claim that is granted after this time would bind the call to a runtime that does not play it.
      expirationMs: timeoutMs,
      persistent: false,
    };
    return broker.request(request, timeoutMs, CALL_START_LIMITS);
  }
}
