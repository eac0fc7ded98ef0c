import { type Channel, type ChannelModel, connect, type ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { CannotRun } from './errors';
import {
  type Body,
  callStart,
  fieldText,
  type Message,
  getRoutingKeys,
  readBody,
  type StartOptions,
} from './messages';
import { declareTopology, deleteTopology, type TopologyNames } from './topology';

/** A claim or a request for an incoming call. */
export interface Claim {
  at: number;
  type: string;
  conversationId: string;
  claimId: string;
  workerId: string;
  body: Body;
}

/** The answer of the server to a claim. undefined: it does not answer */
export type Answer = { type: string; body: Body } | undefined;

export type ClaimPolicy = (claim: Claim, server: Server) => Answer | Promise<Answer>;

export interface Lease {
  lease_seconds: number;
  heartbeat_seconds: number;
}

/** Plays the server for one scenario: it offers calls, answers claims, and records the messages of the runtime. */
export class Server {
  readonly messages: Message[] = [];
  readonly claims: Claim[] = [];
  /** The answers to the claims, and their times. */
  readonly answers: { at: number; claim: Claim; answer: Answer }[] = [];
  readonly tokens = new Map<string, string>();
  lease: Lease = { lease_seconds: 600, heartbeat_seconds: 1 };
  policy: ClaimPolicy = grantFirst;
  /** The credential of the calls that are granted. undefined: they have none */
  api: Body | undefined;
  private channel!: Channel;
  private connection!: ChannelModel;
  private isStopped = false;
  private readonly granted = new Map<string, { claimId: string; answer: Answer }>();

  constructor(
    readonly names: TopologyNames,
    private readonly now: () => number,
  ) {}

  async start(url: string): Promise<void> {
    try {
      this.connection = await connect(url);
    } catch (error) {
      throw new CannotRun(`RabbitMQ cannot be reached: ${(error as Error).message}`);
    }
    this.connection.on('error', () => undefined); // The pending operation fails, which the scenario reports.
    this.channel = await this.openChannel();
    await declareTopology(this.channel, this.names);
    await this.channel.consume(this.names.claims, (message) => void this.onClaim(message), { noAck: true });
    await this.channel.consume(this.names.eventsQueue, (message) => this.onEvent(message), { noAck: true });
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    // A scenario that was interrupted may still read a queue that is gone, which closes its channel.
    await deleteTopology(await this.openChannel(), this.names);
    await this.connection.close();
  }

  private async openChannel(): Promise<Channel> {
    const channel = await this.connection.createChannel();
    channel.on('error', () => undefined); // The operation fails, which the scenario reports.
    return channel;
  }

  /** The number of consumers and of waiting messages of the queue of call starts. */
  async queue(): Promise<{ consumers: number; ready: number }> {
    const { consumerCount, messageCount } = await this.channel.checkQueue(this.names.defaultQueue);
    return { consumers: consumerCount, ready: messageCount };
  }

  async deadCalls(): Promise<number> {
    return (await this.channel.checkQueue(this.names.deadCalls)).messageCount;
  }

  /** Offers a call. @returns its id */
  offer(options: Partial<StartOptions> & { extra?: Body } = {}): string {
    const { extra, ...others } = options;
    const conversationId = options.conversationId ?? randomUUID();
    const start = callStart({ callee: 'answers 1', expiresInSeconds: 60, ...others, conversationId });
    this.publishStart(conversationId, { ...start, ...extra });
    return conversationId;
  }

  /** Publishes the message that offers a call. Published twice, it offers the same call again, as a broker may. */
  publishStart(conversationId: string, body: Body): void {
    const { routingKey, workspaceRoutingKey } = getRoutingKeys('voice');
    const remaining = Date.parse(fieldText(body, 'expires_at')) - Date.now();
    const data = Buffer.from(JSON.stringify(body));
    this.channel.publish(this.names.calls, routingKey, data, {
      type: 'call.start.v1',
      contentType: 'application/json',
      messageId: conversationId,
      persistent: true,
      // A message that expired in the queue would never reach the runtime.
      expiration: `${Math.max(remaining, 60_000)}`,
      CC: workspaceRoutingKey,
    });
    this.keep('to-runtime', 'call.start.v1', routingKey, data, true);
  }

  /** Puts bytes that are no message into the queue of call starts. */
  publishUnreadable(messageId: string, data: Buffer): void {
    const options = { type: 'call.start.v1', contentType: 'application/json', messageId, persistent: true };
    this.channel.publish(this.names.calls, getRoutingKeys('voice').routingKey, data, options);
    this.keep('to-runtime', 'call.start.v1', getRoutingKeys('voice').routingKey, data, true);
  }

  hangUp(workerId: string, conversationId: string): void {
    const data = Buffer.from(JSON.stringify({ conversation_id: conversationId }));
    const options = { type: 'call.hangup.v1', contentType: 'application/json' };
    this.channel.publish(this.names.commands, workerId, data, options);
    this.keep('to-runtime', 'call.hangup.v1', workerId, data, false);
  }

  findClaims(conversationId: string): Claim[] {
    return this.claims.filter((claim) => claim.conversationId === conversationId);
  }

  /** The reports about a call, in the order of their arrival. */
  findEvents(conversationId: string, type?: string): Message[] {
    return this.messages.filter(
      (message) =>
        message.direction === 'from-runtime' &&
        message.type.startsWith('call.') &&
        !message.type.startsWith('call.claim') &&
        !message.type.startsWith('call.incoming') &&
        message.body?.['conversation_id'] === conversationId &&
        (type === undefined || message.type === type),
    );
  }

  answerTo(conversationId: string): number | undefined {
    return this.answers.find(({ claim, answer }) => claim.conversationId === conversationId && answer)?.at;
  }

  grant(claim: Claim): Answer {
    const token = this.tokens.get(claim.conversationId) ?? randomUUID();
    this.tokens.set(claim.conversationId, token);
    const body = {
      conversation_id: claim.conversationId,
      token,
      ...this.lease,
      ...(this.api && { api: this.api }),
    };
    return { type: 'call.claimed.v1', body };
  }

  /** Grants a claim as {@link grant} does, but a granted call belongs to its first claim. */
  grantOnce(claim: Claim): Answer {
    const known = this.granted.get(claim.conversationId);
    if (known)
      return known.claimId === claim.claimId ? known.answer : refuse(claim, 'it was claimed already');
    const answer = this.grant(claim);
    this.granted.set(claim.conversationId, { claimId: claim.claimId, answer });
    return answer;
  }

  /** Accepts a call that reached the runtime. Its id is the one of its claim. */
  acceptIncoming(claim: Claim, callee: string): Answer {
    const granted = this.grant(claim);
    const call = callStart({
      conversationId: claim.conversationId,
      callee,
      expiresInSeconds: 60,
      direction: 'inbound',
      toNumber: fieldText(claim.body, 'to_number'),
      fromNumber: fieldText(claim.body, 'from_number'),
      externalId: fieldText(claim.body, 'external_id'),
    });
    return {
      type: 'call.incoming-accepted.v1',
      body: { ...granted?.body, worker_id: fieldText(claim.body, 'worker_id'), call },
    };
  }

  private async onClaim(message: ConsumeMessage | null): Promise<void> {
    if (!message) return;
    const { properties, content, fields } = message;
    const kept = this.keep(
      'from-runtime',
      String(properties.type),
      fields.routingKey,
      content,
      false,
      properties.contentType,
    );
    const body = kept.body ?? {};
    const claimId = fieldText(body, 'claim_id');
    const claim: Claim = {
      at: this.now(),
      type: kept.type,
      conversationId: kept.type === 'call.incoming.v1' ? claimId : fieldText(body, 'conversation_id'),
      claimId,
      workerId: fieldText(body, 'worker_id'),
      body,
    };
    this.claims.push(claim);
    const answer = await this.policy(claim, this);
    this.answers.push({ at: this.now(), claim, answer });
    // A scenario may have ended while its policy waited.
    if (!answer || !properties.replyTo || this.isStopped) return;
    const data = Buffer.from(JSON.stringify(answer.body));
    const options = { type: answer.type, correlationId: properties.correlationId as string };
    this.channel.publish('', properties.replyTo as string, data, {
      ...options,
      contentType: 'application/json',
    });
    this.keep('to-runtime', answer.type, properties.replyTo as string, data, false);
  }

  private onEvent(message: ConsumeMessage | null): void {
    if (!message) return;
    const { properties, content, fields } = message;
    const isPersistent = properties.deliveryMode === 2;
    this.keep(
      'from-runtime',
      String(properties.type),
      fields.routingKey,
      content,
      isPersistent,
      properties.contentType,
    );
  }

  /** Adds a message to those of the report. */
  keep(
    direction: Message['direction'],
    type: string,
    routingKey: string,
    data: Buffer,
    isPersistent: boolean,
    contentType: unknown = 'application/json',
  ): Message {
    const message: Message = {
      at: this.now(),
      direction,
      type,
      routingKey,
      bytes: data.length,
      isPersistent,
      contentType: String(contentType),
      body: readBody(data.toString('utf8')),
    };
    this.messages.push(message);
    return message;
  }
}

export const refuse = (claim: Claim, why: string): Answer => ({
  type: 'call.claim-refused.v1',
  body: { conversation_id: claim.conversationId, reason: `The call cannot be claimed: ${why}.` },
});

export const refuseIncoming = (claim: Claim, reason: string): Answer => ({
  type: 'call.incoming-refused.v1',
  body: { claim_id: claim.claimId, reason },
});

/** Grants the first claim of each call, and refuses further ones. */
export const grantFirst: ClaimPolicy = (claim, server) =>
  claim.type === 'call.incoming.v1' ? refuseIncoming(claim, 'unknown_number') : server.grantOnce(claim);
