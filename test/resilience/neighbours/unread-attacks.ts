import { connect as amqpConnect } from 'amqplib';
import { randomUUID } from 'node:crypto';
import { connect as tcpConnect, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { topologyNames } from '../../../src/platform/messaging/topology';
import { type Claimed, MESSAGE_TYPES } from '../../../src/platform/messaging/wire';
import { until } from '../../support/until';
import type { Attack } from './attack';
import type { Attacker } from './attacker';

const CONNECTIONS = 48;

/** The time until further connections are opened. */
const UNREAD_MS = 1_500;

const DAY_MS = 86_400_000;

/** The number of connections that read a little now and then. */
const SLOW_READERS = 8;

const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);

/** Nearly 2,000 hours, which is the longest series. */
const hoursBy = (group: string) =>
  `/api/reports/calls/series?interval=hour&group_by=${group}` +
  `&start_date=${dayText(Date.now() - 81 * DAY_MS)}&end_date=${dayText(Date.now())}`;

/** Sends requests on a connection, and reads only the beginning of the first answer. */
function send(attacker: Attacker, paths: string[]): Socket {
  const { url, apiKey } = attacker.target;
  const { hostname, port } = new URL(url);
  const socket = tcpConnect(Number(port), hostname).on('error', () => undefined);
  socket.on('data', () => socket.pause());
  socket.once('data', (bytes) => {
    attacker.count(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString('latin1'))?.[1] ?? 'failed');
  });
  const requests = paths.map(
    (path) => `GET ${path} HTTP/1.1\r\nHost: ${hostname}\r\nX-API-Key: ${apiKey}\r\n\r\n`,
  );
  socket.write(requests.join(''));
  attacker.requests += paths.length;
  return socket;
}

/** Sends requests on further connections, which stay open and unread; some of them read a little now and then. */
async function sendUnread(attacker: Attacker, paths: string[]): Promise<void> {
  const sockets = Array.from({ length: CONNECTIONS }, () => send(attacker, paths));
  for (let waited = 0; waited < UNREAD_MS; waited += 100) {
    await pause(100);
    for (const socket of sockets.slice(0, SLOW_READERS)) socket.resume();
  }
}

/** Does the same several times, some at once. */
async function repeat(times: number, run: (index: number) => Promise<void>): Promise<void> {
  let next = 0;
  const work = async () => {
    while (next < times) await run(next++);
  };
  await Promise.all(Array.from({ length: 40 }, work));
}

async function startCall(attacker: Attacker, agentId: string, fields: object = {}): Promise<string> {
  const call = { to_number: '+15551234567', ...fields };
  // If a busy RabbitMQ does not confirm in time, the call is cancelled with 500. Another one is started then.
  const answer = await until(async () => {
    const response = await attacker.send('POST', `/api/agents/${agentId}/calls`, call);
    return response?.status === 500 ? undefined : (response ?? { status: 0, body: undefined });
  });
  if (answer.status !== 200) throw new Error(`A call was refused: ${JSON.stringify(answer.body)}`);
  return answer.body.data.conversation_id as string;
}

/** Each agent has a call, so that it is a group of a series. */
async function createAgentsWithLongNames(attacker: Attacker): Promise<void> {
  await repeat(25, async (index) => {
    const answer = await attacker.send('POST', '/api/agents', {
      type: 'outbound',
      name: `${'é'.repeat(190)} ${index}`,
    });
    if (answer?.status !== 200) throw new Error(`An agent was refused: ${JSON.stringify(answer?.body)}`);
    await startCall(attacker, answer.body.data._id as string);
  });
}

/** Starts calls that have 4 KB each in a list and in an export. */
const startLargeCalls = (attacker: Attacker) =>
  repeat(2_000, async () => {
    const fields = { external_id: '漢'.repeat(1_024), customer_name: '漢'.repeat(200) };
    await startCall(attacker, attacker.target.agentId, fields);
  });

/** Takes calls as a runtime does, and ends each with an outcome of its own. */
async function endCallsWithOutcomes(attacker: Attacker, count: number): Promise<void> {
  const { rabbitmqUrl, brokerPrefix, agentId } = attacker.target;
  const names = topologyNames(brokerPrefix);
  const connection = await amqpConnect(rabbitmqUrl ?? '');
  const channel = await connection.createChannel();
  const claims = new Map<string, string>();
  let ended = 0;
  const parseBody = <Body>(content: Buffer) => JSON.parse(content.toString()) as Body;
  await channel.consume(
    'amq.rabbitmq.reply-to',
    (message) => {
      const conversationId = claims.get(message?.properties.correlationId as string);
      if (!message || conversationId === undefined) return;
      const now = new Date();
      const event = {
        conversation_id: conversationId,
        token: parseBody<Claimed>(message.content).token,
        occurred_at: now,
        connected_at: now,
        disconnect_reason: 'user_hangup',
        disconnected_by: 'user',
        outcome: `${ended} ${'漢'.repeat(1_900)}`,
      };
      channel.publish(names.events, 'call.ended', Buffer.from(JSON.stringify(event)), {
        type: MESSAGE_TYPES.ended,
        messageId: randomUUID(),
      });
      ended += 1;
    },
    { noAck: true },
  );
  await channel.consume(names.callsQueue, (message) => {
    if (!message) return;
    channel.ack(message);
    const { conversation_id } = parseBody<{ conversation_id: string }>(message.content);
    const claimId = randomUUID();
    claims.set(claimId, conversation_id);
    const claim = { conversation_id, claim_id: claimId, worker_id: 'attacker' };
    channel.sendToQueue(names.claimsQueue, Buffer.from(JSON.stringify(claim)), {
      type: MESSAGE_TYPES.claim,
      messageId: randomUUID(),
      replyTo: 'amq.rabbitmq.reply-to',
      correlationId: claimId,
    });
  });
  await repeat(count, async () => void (await startCall(attacker, agentId)));
  await until(async () => {
    const answer = await attacker.get('/api/calls?status=disconnected&limit=1');
    return answer?.body.pagination.total === count;
  });
  await connection.close();
}

/** Answers that nobody reads, or that are large for other reasons. */
export const UNREAD_ATTACKS: Record<string, Attack> = {
  'series that are not read': {
    expectedStatuses: [200, 503],
    prepare: createAgentsWithLongNames,
    run: (attacker) => sendUnread(attacker, [hoursBy('agent')]),
  },

  'series behind a stream of changes': {
    expectedStatuses: [200, 503],
    prepare: createAgentsWithLongNames,
    run: (attacker) => sendUnread(attacker, ['/api/live', ...Array<string>(200).fill(hoursBy('agent'))]),
  },

  'exports that are not read': {
    expectedStatuses: [200, 503],
    prepare: startLargeCalls,
    run: (attacker) => sendUnread(attacker, ['/api/calls/export?format=jsonl']),
  },

  'lists that are not read': {
    expectedStatuses: [200, 503],
    prepare: startLargeCalls,
    run: (attacker) => sendUnread(attacker, Array<string>(20).fill('/api/calls?limit=100')),
  },

  'series of two thousand outcomes': {
    expectedStatuses: [200, 503],
    needsRabbitmq: true,
    prepare: (attacker) => endCallsWithOutcomes(attacker, 2_000),
    run: async (attacker) => {
      const start = dayText(Date.now() - 30 * DAY_MS);
      const path = `/api/reports/calls/series?interval=week&group_by=outcome&start_date=${start}`;
      await Promise.all([
        ...Array.from({ length: 10 }, () => attacker.get(path)),
        sendUnread(attacker, [path]),
      ]);
    },
  },
};
