import { type ConfirmChannel, connect, type ConsumeMessage } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { topologyNames } from '../src/platform/messaging/topology';
import { type CallStart, type Claimed, MESSAGE_TYPES } from '../src/platform/messaging/wire';

/**
 * A runtime that does only what the contract requires: it claims each call, and reports its whole life at once. With
 * CALL_SECONDS, calls take about that time, and something is said in them.
 */
const { RABBITMQ_URL = '', BROKER_PREFIX = '', CALL_SECONDS } = process.env;
const PREFETCH = 200;
const HEARTBEATS = 3;
const RINGING_MS = 4_000;
const TURN_MS = 4_000;
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

type Report = (type: string, fields?: object) => void;

/** The whole life of a call. */
function live(channel: ConfirmChannel, { conversation_id, token }: Claimed): void {
  const report: Report = (type, fields = {}) => {
    const body = { conversation_id, token, occurred_at: new Date().toISOString(), ...fields };
    const properties = { type, persistent: true };
    const key = type.replace(/\.v1$/, '');
    channel.publish(events, key, Buffer.from(JSON.stringify(body)), properties, (error) => {
      if (error) fail(error);
    });
  };
  if (CALL_SECONDS !== undefined) {
    converse(report, Number(CALL_SECONDS) * 1_000).catch(fail);
    return;
  }
  const connected_at = new Date().toISOString();
  report(MESSAGE_TYPES.connected);
  for (let beat = 0; beat < HEARTBEATS; beat += 1) report(MESSAGE_TYPES.heartbeat);
  end(report, connected_at);
}

/** A call that rings, and in which something is said every few seconds. */
async function converse(report: Report, usualMs: number): Promise<void> {
  await pause(Math.random() * RINGING_MS);
  const connectedAt = Date.now();
  const endsAt = connectedAt + usualMs * (0.5 + Math.random());
  report(MESSAGE_TYPES.connected);
  for (let sequence = 1; Date.now() < endsAt; sequence += 1) {
    const [speaker, text] =
      sequence % 2 ? ['agent', 'Does Monday at nine suit you?'] : ['user', 'Rather on Friday.'];
    const turns = [{ sequence, speaker, text, started_at: new Date().toISOString() }];
    report(MESSAGE_TYPES.transcript, { turns });
    await pause(TURN_MS * (0.5 + Math.random()));
  }
  end(report, new Date(connectedAt).toISOString());
}

const end = (report: Report, connected_at: string) =>
  report(MESSAGE_TYPES.ended, {
    connected_at,
    disconnect_reason: 'user_hangup',
    disconnected_by: 'user',
    summary: 'The appointment was confirmed.',
  });

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
