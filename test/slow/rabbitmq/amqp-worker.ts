import { type Channel, type ChannelModel, connect, type ConsumeMessage, type Options } from 'amqplib';
import { randomUUID } from 'node:crypto';
import {
  type CallStart,
  type Claimed,
  type HangUp,
  type IncomingAccepted,
  type IncomingRefused,
  MESSAGE_TYPES,
} from '../../../src/platform/messaging/wire';
import { until } from '../../support/until';

const REPLY_TO = 'amq.rabbitmq.reply-to';

export interface Pool {
  queue: string;
  /** If set, the worker declares `queue` and binds it with this key. */
  routingKey?: string;
  /** If set, the worker claims the calls of this workspace only. */
  workspaceId?: string;
}

const POOL_ARGUMENTS: Options.AssertQueue = {
  durable: true,
  arguments: {
    'x-queue-type': 'quorum',
    'x-delivery-limit': 20,
    'x-dead-letter-exchange': '',
    'x-dead-letter-routing-key': 'voice.calls.dead',
  },
};

const json = (message: ConsumeMessage) => JSON.parse(message.content.toString()) as unknown;

/**
 * A worker that uses only docs/runtime-contract.md, on a broker with the prefix `voice`. It claims every offered call,
 * reports it as connected, and ends it after a hang-up command.
 */
export class AmqpWorker {
  /** The calls that it was offered. */
  readonly offered: CallStart[] = [];
  private readonly id = `worker ${randomUUID()}`;
  private readonly held = new Map<string, Claimed & { connected_at: string }>();
  private readonly answers = new Map<string, IncomingAccepted | IncomingRefused>();
  private readonly claimed = new Map<string, CallStart>();

  private constructor(
    private readonly connection: ChannelModel,
    private readonly channel: Channel,
    private readonly workspaceId: string | undefined,
  ) {}

  static async start(url: string, { queue, routingKey, workspaceId }: Pool): Promise<AmqpWorker> {
    const connection = await connect(url);
    connection.on('error', () => undefined);
    const channel = await connection.createChannel();
    const worker = new AmqpWorker(connection, channel, workspaceId);
    const consume = (from: string, handle: (message: ConsumeMessage) => void, noAck: boolean) =>
      channel.consume(from, (message) => message && handle(message), { noAck });

    await consume(REPLY_TO, (message) => worker.onAnswer(message), true);
    const commands = await channel.assertQueue('', { exclusive: true });
    await channel.bindQueue(commands.queue, 'voice.commands', worker.id);
    await consume(commands.queue, (message) => worker.onCommand(message), true);
    if (routingKey !== undefined) {
      await channel.assertQueue(queue, POOL_ARGUMENTS);
      await channel.bindQueue(queue, 'voice.calls', routingKey);
    }
    await channel.prefetch(10);
    await consume(queue, (message) => worker.onCall(message), false);
    return worker;
  }

  offers(id: string): CallStart[] {
    return this.offered.filter(({ conversation_id }) => conversation_id === id);
  }

  hello(): void {
    const body = { worker_id: this.id, name: 'worker', version: '1', capacity: 10, calls: 0 };
    this.send('worker.hello', MESSAGE_TYPES.hello, { body, properties: {} });
  }

  /** Asks for a call that has reached it. @returns the answer */
  async incoming(
    to_number: string,
    { key = this.getKey('incoming'), CC }: { key?: string; CC?: string[] } = {},
  ): Promise<IncomingAccepted | IncomingRefused> {
    const correlationId = randomUUID();
    this.send(key, MESSAGE_TYPES.incoming, {
      body: { claim_id: randomUUID(), worker_id: this.id, to_number, from_number: '' },
      properties: { correlationId, replyTo: REPLY_TO, CC },
    });
    return until(() => this.answers.get(correlationId));
  }

  stop(): Promise<void> {
    return this.connection.close();
  }

  private getKey(kind: 'claim' | 'incoming'): string {
    return this.workspaceId === undefined ? 'claim' : `${kind}.${this.workspaceId}`;
  }

  private onCall(message: ConsumeMessage): void {
    const call = json(message) as CallStart;
    this.offered.push(call);
    const correlationId = randomUUID();
    this.claimed.set(correlationId, call);
    const { conversation_id } = call;
    this.send(this.getKey('claim'), MESSAGE_TYPES.claim, {
      body: { conversation_id, claim_id: randomUUID(), worker_id: this.id },
      properties: { correlationId, replyTo: REPLY_TO },
    });
    this.channel.ack(message);
  }

  private onAnswer(message: ConsumeMessage): void {
    const { type, correlationId } = message.properties as { type: string; correlationId: string };
    if (type === MESSAGE_TYPES.incomingAccepted || type === MESSAGE_TYPES.incomingRefused) {
      this.answers.set(correlationId, json(message) as IncomingAccepted | IncomingRefused);
    }
    if (type !== MESSAGE_TYPES.claimed) return;
    const claimed = json(message) as Claimed;
    const connected_at = this.report('connected', claimed, {});
    this.held.set(claimed.conversation_id, { ...claimed, connected_at });
    this.report('heartbeat', claimed, {});
    this.leaveBehind(claimed);
  }

  private leaveBehind({ conversation_id, token }: Claimed): void {
    const started_at = new Date().toISOString();
    const turns = [{ sequence: 1, speaker: 'agent', text: 'Hello', started_at }];
    const bodies = {
      transcript: { turns },
      recorded: { recording_url: 'https://a.example/1.wav' },
      analyzed: { fields: { satisfied: true } },
    };
    for (const [kind, body] of Object.entries(bodies)) {
      this.send(`call.${kind}`, `call.${kind}.v1`, {
        body: { conversation_id, token, ...body },
        properties: { persistent: true },
      });
    }
  }

  private onCommand(message: ConsumeMessage): void {
    const { conversation_id } = json(message) as HangUp;
    const call = this.held.get(conversation_id);
    if (message.properties.type !== MESSAGE_TYPES.hangUp || !call) return;
    const { connected_at } = call;
    this.report('ended', call, { connected_at, disconnect_reason: 'cancelled', disconnected_by: 'system' });
  }

  private report(event: string, { conversation_id, token }: Claimed, fields: object): string {
    const occurred_at = new Date().toISOString();
    this.send(`call.${event}`, `call.${event}.v1`, {
      body: { conversation_id, token, occurred_at, ...fields },
      properties: { persistent: true },
    });
    return occurred_at;
  }

  private send(
    routingKey: string,
    type: string,
    { body, properties }: { body: object; properties: Options.Publish },
  ): void {
    const content = Buffer.from(JSON.stringify(body));
    this.channel.publish('voice.events', routingKey, content, { type, ...properties });
  }
}
