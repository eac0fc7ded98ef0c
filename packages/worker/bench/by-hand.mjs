// The worker of main.mjs on amqplib alone: it has claims, acknowledgements, heartbeats and reports with confirms,
// but no outbox, no reconnection, no order of reports that were not confirmed and no drain, and a blocked event
// loop stops its heartbeats.
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { connect } from 'amqplib';
import { reportUsage } from './usage.mjs';

const { RABBITMQ_URL, BROKER_PREFIX: prefix, PARLEY_CAPACITY } = process.env;
const workerId = randomUUID();
const connection = await connect(RABBITMQ_URL);
const channel = await connection.createChannel();
const events = await connection.createConfirmChannel();
const answers = new Map();

await channel.consume(
  'amq.rabbitmq.reply-to',
  (message) => answers.get(message.properties.correlationId)?.(message),
  {
    noAck: true,
  },
);
await channel.prefetch(Math.min(100, Number(PARLEY_CAPACITY)));

function claim(conversation_id) {
  const correlationId = randomUUID();
  return new Promise((resolve) => {
    answers.set(correlationId, resolve);
    const body = { conversation_id, claim_id: randomUUID(), worker_id: workerId };
    channel.publish(`${prefix}.events`, 'claim', Buffer.from(JSON.stringify(body)), {
      type: 'call.claim.v1',
      correlationId,
      replyTo: 'amq.rabbitmq.reply-to',
    });
  }).finally(() => answers.delete(correlationId));
}

const report = (event, body) =>
  new Promise((resolve, reject) =>
    events.publish(
      `${prefix}.events`,
      event,
      Buffer.from(JSON.stringify(body)),
      { type: `${event}.v1`, messageId: randomUUID(), persistent: true },
      (error) => (error ? reject(error) : resolve()),
    ),
  );

async function take(message) {
  const start = JSON.parse(message.content.toString());
  const answer = await claim(start.conversation_id);
  channel.ack(message);
  if (answer.properties.type !== 'call.claimed.v1') return;
  const { conversation_id, token, heartbeat_seconds } = JSON.parse(answer.content.toString());
  const ids = { conversation_id, token };
  const now = () => new Date().toISOString();
  const heartbeats = setInterval(
    () => report('call.heartbeat', { ...ids, occurred_at: now() }),
    heartbeat_seconds * 1_000,
  );
  const connected_at = now();
  await report('call.connected', { ...ids, occurred_at: connected_at });
  for (let turn = 0; turn < 10; turn++) {
    const spoken = {
      sequence: turn + 1,
      speaker: 'agent',
      text: `${start.greeting} ${turn}`,
      started_at: now(),
    };
    await report('call.transcript', { ...ids, turns: [spoken] });
    await pause(2_000);
  }
  const end = {
    disconnect_reason: 'agent_hangup',
    disconnected_by: 'agent',
    summary: 'Done.',
    transcript_turns: 10,
  };
  await report('call.ended', { ...ids, occurred_at: now(), connected_at, ...end });
  clearInterval(heartbeats);
}

await channel.consume(`${prefix}.calls.default`, take);
reportUsage();
