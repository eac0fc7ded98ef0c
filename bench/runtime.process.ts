import { type ConfirmChannel, connect, type ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { topologyNames } from '../src/platform/messaging/topology';
import { type CallStart, type Claimed, MESSAGE_TYPES } from '../src/platform/messaging/wire';

/** A runtime that does only what the contract requires: it claims each call, and reports its whole life at once. */
const { RABBITMQ_URL = '', BROKER_PREFIX = '' } = process.env;
const PREFETCH = 200;
const HEARTBEATS = 3;
const REPLY_TO = 'amq.rabbitmq.reply-to';
const WORKER = `runtime ${process.pid}`;

const { callsQueue, claimsQueue, events } = topologyNames(BROKER_PREFIX);
const deliveries = new Map<string, ConsumeMessage>();
const parseBody = <Body>({ content }: ConsumeMessage) => JSON.parse(content.toString()) as Body;

function fail(error: unknown): never {
  console.error(error);
  process.exit(1);
}

function claim(channel: ConfirmChannel, delivery: ConsumeMessage): void {
  const { conversation_id } = parseBody<CallStart>(delivery);
  const correlationId = randomUUID();
  deliveries.set(correlationId, delivery);
  const body = { conversation_id, claim_id: correlationId, worker_id: WORKER };
  const properties = { type: MESSAGE_TYPES.claim, correlationId, replyTo: REPLY_TO };
  channel.publish('', claimsQueue, Buffer.from(JSON.stringify(body)), properties);
}

function onAnswer(channel: ConfirmChannel, answer: ConsumeMessage): void {
  const { correlationId, type } = answer.properties as { correlationId: string; type: string };
  const delivery = deliveries.get(correlationId);
  if (!delivery) return;
  deliveries.delete(correlationId);
  channel.ack(delivery);
  if (type === MESSAGE_TYPES.claimed) live(channel, parseBody<Claimed>(answer));
}

/** The whole life of a call. */
function live(channel: ConfirmChannel, { conversation_id, token }: Claimed): void {
  const now = new Date().toISOString();
  const report = (type: string, fields: object = {}) => {
    const body = { conversation_id, token, occurred_at: now, ...fields };
    const properties = { type, persistent: true };
    const key = type.replace(/\.v1$/, '');
    channel.publish(events, key, Buffer.from(JSON.stringify(body)), properties, (error) => {
      if (error) fail(error);
    });
  };
  report(MESSAGE_TYPES.connected);
  for (let beat = 0; beat < HEARTBEATS; beat += 1) report(MESSAGE_TYPES.heartbeat);
  report(MESSAGE_TYPES.ended, {
    connected_at: now,
    disconnect_reason: 'user_hangup',
    disconnected_by: 'user',
    summary: 'The appointment was confirmed.',
  });
}

async function start(): Promise<void> {
  const connection = await connect(RABBITMQ_URL);
  const channel = await connection.createConfirmChannel();
  await channel.consume(REPLY_TO, (answer) => answer && onAnswer(channel, answer), { noAck: true });
  await channel.prefetch(PREFETCH);
  await channel.consume(callsQueue, (delivery) => delivery && claim(channel, delivery));
  process.send?.({ ready: true });
}

process.on('disconnect', () => process.exit());
start().catch(fail);
