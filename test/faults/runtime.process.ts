import { setMaxListeners } from 'node:events';
import { appendFileSync, openSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { IncomingDelivery } from '../../src/messaging/message-broker';
import { RabbitmqBroker } from '../../src/messaging/rabbitmq.broker';
import { topologyNames } from '../../src/messaging/topology';
import { type CallStart, type Claimed, MESSAGE_TYPES } from '../../src/messaging/wire';
import { CallClaims } from '../../src/runtime/call-claims';
import { CallReporter } from '../../src/runtime/call-reporter';
import { reportTurns, TURNS } from './incoming-load';
import { IS_CLAIMED_LATE, LATE_MS } from './numbers';

/**
 * A runtime that uses only the broker contract. It writes every number to the dial log before it dials, so that a number
 * that is in the log twice was dialled twice.
 */
const { RABBITMQ_URL = '', BROKER_PREFIX = '', DIAL_LOG = '' } = process.env;
const PREFETCH = 100;
/** Shorter than the lease, so that a claim whose answer was lost is repeated before the lease expires. */
const CLAIM_TIMEOUT_MS = 1_000;
const RINGING_MS = 50;
const LONGEST_TALK_MS = 500;
/** Whoever asks not to be called again, after a busy line that is otherwise called again. */
const OPTS_OUT = /[37]7$/;

Logger.overrideLogger(['warn', 'error']);
// Synchronous, so that a line is stored before its number is dialled.
const dialLog = openSync(DIAL_LOG, 'as');
const topology = topologyNames(BROKER_PREFIX);
const broker = new RabbitmqBroker({ url: RABBITMQ_URL, topology, publishTimeoutMs: 300 });
const neverStopping = new AbortController().signal;
// Each call adds a listener; Node.js would warn of a leak from the eleventh on.
setMaxListeners(0, neverStopping);
const claims = new CallClaims({
  broker,
  topology,
  workerId: `runtime ${process.pid}`,
  timeoutMs: CLAIM_TIMEOUT_MS,
  stopping: neverStopping,
});

async function take({ message, ...delivery }: IncomingDelivery): Promise<void> {
  if (message.type !== MESSAGE_TYPES.callStart) return delivery.reject();
  const call = message.body as CallStart;
  let claimed: Claimed | undefined;
  try {
    if (IS_CLAIMED_LATE.test(call.to_number)) await pause(LATE_MS);
    claimed = await claims.claim(call);
  } catch {
    return delivery.requeue();
  }
  delivery.ack();
  if (claimed) await dial(call, claimed);
}

async function dial({ conversation_id, to_number }: CallStart, claimed: Claimed): Promise<void> {
  appendFileSync(dialLog, `${conversation_id} ${to_number}\n`);
  const reporter = new CallReporter(broker, topology, claimed, neverStopping);
  const heartbeats = setInterval(() => reporter.heartbeat(), (claimed.lease_seconds * 1_000) / 3);
  await pause(RINGING_MS);
  if (to_number.endsWith('7')) {
    reporter.failed(new Date(), { disconnect_reason: 'dial_busy' });
    if (OPTS_OUT.test(to_number)) reporter.analyzed({ fields: {}, opt_out: true });
  } else {
    const connectedAt = new Date();
    reporter.connected(connectedAt);
    await pause(Math.random() * LONGEST_TALK_MS);
    reportTurns(reporter);
    reporter.ended(new Date(), {
      connected_at: connectedAt.toISOString(),
      disconnect_reason: 'user_hangup',
      disconnected_by: 'user',
      transcript_turns: TURNS,
    });
  }
  clearInterval(heartbeats);
  await reporter.settled();
}

async function start(): Promise<void> {
  await broker.open();
  await broker.consume({ queue: topology.callsQueue, prefetch: PREFETCH }, take);
  process.send?.('ready');
}

process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
void start();
