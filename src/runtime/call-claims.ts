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
  /** Ends the pauses between tries, and with them the tries. */
  stopping: AbortSignal;
}

/** Asks the server for the right to place calls. */
export class CallClaims {
  constructor(private readonly options: CallClaimsOptions) {}

  /**
   * Claims a call, for one delivery of its message.
   * @returns undefined where the server refuses.
   * @throws where it could not be asked, or did not answer.
   */
  async claim({ conversation_id, expires_at }: CallStart): Promise<Claimed | undefined> {
    const { workerId, stopping } = this.options;
    // The same in every try: the server may have granted it and only its answer got lost.
    const claim: Claim = { conversation_id, claim_id: randomUUID(), worker_id: workerId };
    const reply = await retry(() => this.ask(claim), {
      // Given up earlier, a call whose grant got lost would belong to nobody.
      tries: Infinity,
      longestPauseMs: LONGEST_PAUSE_MS,
      signal: stopping,
      shouldRetry: () => Date.now() < Date.parse(expires_at),
    });
    return reply.type === MESSAGE_TYPES.claimed ? (reply.body as Claimed) : undefined;
  }

  private ask(claim: Claim) {
    const { broker, topology, timeoutMs } = this.options;
    const request: OutgoingMessage = {
      exchange: '',
      routingKey: topology.claimsQueue,
      type: MESSAGE_TYPES.claim,
      messageId: randomUUID(),
      body: claim,
      // Once nobody waits for the answer, a grant would only bind the call to nobody.
      expirationMs: timeoutMs,
      persistent: false,
    };
    return broker.request(request, timeoutMs);
  }
}
