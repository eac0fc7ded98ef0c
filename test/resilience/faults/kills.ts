import { randomInt } from 'node:crypto';
import { until } from '../../support/until';
import type { Fault } from './fault';
import { WEBHOOK_PATH } from './installation';
import type { KillPoint } from './orders';
import type { Round } from './round';
import { agePublishes } from '../harness/settling';
import { BOOK_TABLE, toolPath } from '../harness/shop';

type Inject = Fault['inject'];

const CSV_ROWS = 2_000;
const ACCEPTS = 4;

/** Kills the server when it reaches the point for a random time, and starts another one. */
const killAt =
  (point: KillPoint, maxOccurrence: number): Inject =>
  async ({ installation }) => {
    await installation.killServerAt(point, randomInt(1, maxOccurrence + 1));
    await installation.replaceServer();
  };

/** Matches the beginning of the text, because Postgres shows only that. */
const WAITING_ACCEPTS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%"idempotencyKey" text, owner uuid%'`;

/** Kills the server while its accepts wait for a lock. Postgres continues their statements after the kill. */
async function killInsideTransaction({ installation, load }: Round): Promise<void> {
  const { idleAgent } = installation;
  const client = await installation.sql.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [idleAgent.workspaceId]);
    for (let start = 1; start <= ACCEPTS; start += 1) load.start(idleAgent);
    // The calls wait in one shared statement.
    await until(async () => (await installation.rows(WAITING_ACCEPTS)).length > 0, 30_000);
    await installation.killServer();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function killDuringFencedCancel({ installation }: Round): Promise<void> {
  const { rabbitmq } = installation.services;
  await rabbitmq.freeze();
  try {
    await installation.killServerAt('during-fenced-cancel', randomInt(1, 10));
  } finally {
    rabbitmq.thaw();
  }
  await installation.replaceServer();
}

/** On a machine that is too slow for the check, the last try goes on without it. */
const MAX_TRIES = 5;

const UNPUBLISHED = `
  SELECT FROM conversations WHERE status = 'queued' AND dispatched_at IS NULL AND campaign_id IS NULL
    AND last_publish_at > now() - interval '4 seconds'`;

/** Kills the sweeper of a server that has to publish the calls of a killed one. */
const killSweeperAt =
  (point: KillPoint): Inject =>
  async ({ installation }) => {
    let tries = 0;
    do {
      tries += 1;
      await installation.killServerAt('after-commit', randomInt(1, 20));
      await installation.replaceServer();
      // A campaign may take its calls back, and a slow start lets the sweeper publish the others.
    } while (tries < MAX_TRIES && (await installation.rows(UNPUBLISHED)).length === 0);
    const killed = installation.killServerAt(point, 1);
    await agePublishes(installation);
    await killed;
    await installation.replaceServer();
  };

async function killDuringCsvLoad(round: Round): Promise<void> {
  const killed = round.installation.killServerAt('csv-load', randomInt(1, 9));
  const uploads = [1, 2].map(() => round.uploadForLater(CSV_ROWS));
  await killed;
  await Promise.all(uploads);
  await round.installation.replaceServer();
  await round.uploadForLater(CSV_ROWS);
}

async function killDuringCampaignBatch(round: Round): Promise<void> {
  const killed = round.installation.killServerAt('campaign-batch', randomInt(1, 21));
  await round.uploadDue();
  await killed;
  await round.installation.replaceServer();
}

/** Kills the server at any statement of the transaction, or between its commit and the answer. */
async function killDuringRestore({ installation, restores }: Round): Promise<void> {
  await restores.during(installation.killServerAt('version-restore', randomInt(1, 30)));
  await installation.replaceServer();
}

/** Kills the server while it waits for the answers to webhooks. */
async function killDuringWebhook({ installation }: Round): Promise<void> {
  const { receiver } = installation;
  receiver.hold(WEBHOOK_PATH);
  const webhooks = randomInt(1, 11);
  await until(() => receiver.holding >= webhooks, 30_000);
  await installation.killServer();
  receiver.release(WEBHOOK_PATH);
}

/** Kills a part of the installation while the shop has bookings that it has not answered. */
const killDuringBookings =
  (kill: (installation: Round['installation']) => Promise<void>): Inject =>
  async ({ installation }) => {
    const { receiver } = installation;
    const path = toolPath(BOOK_TABLE);
    receiver.hold(path);
    const bookings = randomInt(5, 11);
    await until(() => receiver.holding >= bookings, 30_000);
    await kill(installation);
    receiver.release(path);
  };

/** Leaves calls to publish, webhooks without an answer and leased Idempotency-Keys behind. */
async function killWithPendingWork({ installation }: Round): Promise<void> {
  const { receiver } = installation;
  receiver.hold(WEBHOOK_PATH);
  await until(() => receiver.holding > 0, 30_000);
  await installation.killServerAt('after-commit', randomInt(1, 20));
  receiver.release(WEBHOOK_PATH);
  await installation.replaceServer();
}

export const KILLS: Record<string, Fault> = {
  'before-transaction': { inject: killAt('before-transaction', 20) },
  'inside-transaction': { inject: killInsideTransaction },
  'after-commit': { inject: killAt('after-commit', 20) },
  'after-socket-write': { inject: killAt('after-socket-write', 20) },
  'after-confirm': { inject: killAt('after-confirm', 20) },
  'before-reply': { inject: killAt('before-reply', 20) },
  'during-fenced-cancel': { inject: killDuringFencedCancel },
  'before-report': { inject: killAt('before-report', 20) },
  'incoming-after-commit': { inject: killAt('incoming-after-commit', 10) },
  'transcript-batch': { inject: killAt('transcript-batch', 20) },
  'sweeper-before-publish': { inject: killSweeperAt('sweeper-before-publish') },
  'sweeper-after-publish': { inject: killSweeperAt('sweeper-after-publish') },
  'csv-load': { inject: killDuringCsvLoad },
  'campaign-batch': { inject: killDuringCampaignBatch },
  'version-restore': { inject: killDuringRestore },
  'tool-recorded': { inject: killAt('tool-recorded', 20) },
  'tool-answered': { inject: killAt('tool-answered', 20) },
  'during-tool': { inject: killDuringBookings((installation) => installation.killServer()) },
  'runtime-killed-during-tool': {
    inject: killDuringBookings((installation) => installation.restartRuntimes()),
  },
  'during-webhook': { inject: killDuringWebhook },
  'real-time-recovery': { inject: killWithPendingWork, inRealTime: true },
};
