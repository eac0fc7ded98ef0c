import { randomUUID } from 'node:crypto';
import { MessageBroker, type OutgoingMessage } from '../messaging/message-broker';
import { retry } from '../messaging/retry';
import { Topology } from '../messaging/topology';
import { type CallStart, type Claim, type Claimed, MESSAGE_TYPES } from '../messaging/wire';

const LONGEST_PAUSE_MS = 2_000;

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
    const { workerId, stopping } = this.options;
    // The same in each attempt: the server may have granted it, and its reply was lost.
    const claim: Claim = { conversation_id, claim_id: randomUUID(), worker_id: workerId };
    const reply = await retry(() => this.request(claim), {
      // If the reply with a grant was lost, only another attempt can learn of it.
      maxAttempts: Infinity,
      longestPauseMs: LONGEST_PAUSE_MS,
      signal: stopping,
      shouldRetry: () => Date.now() < Date.parse(expires_at),
    });
    return reply.type === MESSAGE_TYPES.claimed ? (reply.body as Claimed) : undefined;
  }

  private request(claim: Claim) {
    const { broker, topology, timeoutMs } = this.options;
    const request: OutgoingMessage = {
      exchange: '',
      routingKey: topology.claimsQueue,
      type: MESSAGE_TYPES.claim,
      messageId: randomUUID(),
      body: claim,
      // A claim that is granted after this time would bind the call to a runtime that does not play it.
      expirationMs: timeoutMs,
      persistent: false,
    };
    return broker.request(request, timeoutMs);
  }
}
