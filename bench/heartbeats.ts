import { connect, type ConfirmChannel } from 'amqplib';
import { setTimeout as pause } from 'node:timers/promises';
import { topologyNames } from '../src/platform/messaging/topology';
import { MESSAGE_TYPES } from '../src/platform/messaging/wire';
import type { Bench, Benchmark } from './benchmark';
import { measure } from './measure';
import type { MeasuredServer } from './measured-server';
import { startParley } from './parley';
import { cpuSum, printCost, printValues } from './report';
import { interleave, withServers } from './rounds';

/** The number of calls in each of the 100 workspaces. */
const LIVE_CALLS = 200;
const PER_SECOND = 2_000;
const STEP_MS = 50;

interface LiveCall {
  id: string;
  token: string;
}

/** Calls that a runtime has claimed, by SQL because only their heartbeats are measured. */
const ADD_LIVE_CALLS = `
  INSERT INTO conversations (
    id, workspace_id, agent_id, user_id, call_type, direction, channel, to_number, from_number, request, agent_version,
    hold, last_publish_at, expires_at, status, claim_id, token, worker_id, accepted_at, connected_at, heartbeat_at)
  SELECT gen_random_uuid(), workspace_id, agent_id, 'bench', 'phonecall', 'outbound', 'voice', '+15551234567', '', '{}',
         version, 1, now(), now(), 'connected', gen_random_uuid(), gen_random_uuid(), 'bench', now(), now(), now()
  FROM agent_versions, generate_series(1, ${LIVE_CALLS})
  RETURNING id, token`;

/** Sends heartbeats at a constant rate, and waits until the server has taken all of them. */
async function beat(channel: ConfirmChannel, server: MeasuredServer, calls: LiveCall[], seconds: number) {
  const { events, eventsQueue } = topologyNames(server.prefix);
  const steps = (seconds * 1_000) / STEP_MS;
  const startedAt = performance.now();
  let sent = 0;
  for (let step = 1; step <= steps; step += 1) {
    for (const due = (step * PER_SECOND * STEP_MS) / 1_000; sent < due; sent += 1) {
      const { id, token } = calls[sent % calls.length] as LiveCall;
      const body = { conversation_id: id, token, occurred_at: new Date().toISOString() };
      const properties = { type: MESSAGE_TYPES.heartbeat, persistent: true };
      channel.publish(events, 'call.heartbeat', Buffer.from(JSON.stringify(body)), properties);
    }
    await pause(Math.max(0, startedAt + step * STEP_MS - performance.now()));
  }
  await channel.waitForConfirms();
  while ((await channel.checkQueue(eventsQueue)).messageCount > 0) await pause(STEP_MS);
  return { calls: sent, seconds: (performance.now() - startedAt) / 1_000 };
}

async function run(bench: Bench): Promise<void> {
  const connection = await connect(bench.services.rabbitmqUrl);
  const channel = await connection.createConfirmChannel();
  await withServers([startParley(bench)], async (parley) => {
    const { rows: calls } = await parley.sql.query<LiveCall>(ADD_LIVE_CALLS);
    const [rounds] = await interleave(bench, [parley], (server) =>
      measure(bench.services, server, () => beat(channel, server, calls, bench.options.seconds)),
    );
    const cores = (round: (typeof rounds)[number]) => (cpuSum(round) * PER_SECOND) / 1_000_000;
    printValues(`cores for ${calls.length} live calls, ${PER_SECOND} heartbeats/s`, rounds, cores);
    printCost(rounds);
  });
  await connection.close();
}

export const heartbeats: Benchmark = {
  name: 'heartbeats',
  title: '20,000 live calls with a heartbeat each 10 s',
  run,
};
