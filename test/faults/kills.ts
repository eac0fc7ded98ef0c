import { randomInt } from 'node:crypto';
import { until } from '../support/until';
import type { Fault } from './fault';
import { WEBHOOK_PATH } from './installation';
import type { KillPoint } from './orders';
import type { Round } from './round';
import { letSecondsPass } from './settling';

type Strike = Fault['strike'];

const CSV_ROWS = 2_000;
const ACCEPTS = 4;

/** Kills the server when it passes the point for the n-th time, and starts another. */
const killAt =
  (point: KillPoint, passages: number): Strike =>
  async ({ installation }) => {
    await installation.killServerAt(point, randomInt(1, passages + 1));
    await installation.replaceServer();
  };

/** By the beginning of their text, since Postgres shows no more than that. */
const WAITING_ACCEPTS = `
  SELECT FROM pg_stat_activity
  WHERE datname = current_database() AND wait_event_type = 'Lock'
    AND query LIKE '%SELECT agents.id, agents.type, agents.status%'`;

/** While accepts wait for a lock in the middle of their statement; Postgres goes on with them after the kill. */
async function killInsideTransaction({ installation, load }: Round): Promise<void> {
  const { quietLine } = installation;
  const client = await installation.sql.connect();
  try {
    await client.query('BEGIN');
    await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [quietLine.workspaceId]);
    for (let start = 1; start <= ACCEPTS; start += 1) load.start(quietLine);
    await until(async () => (await installation.rows(WAITING_ACCEPTS)).length >= ACCEPTS, 30_000);
    await installation.killServer();
  } finally {
    await client.query('ROLLBACK');
    client.release();
  }
}

async function killDuringFencedCancel({ installation }: Round): Promise<void> {
  const { rabbitmq } = installation.services;
  rabbitmq.freeze();
  try {
    await installation.killServerAt('during-fenced-cancel', randomInt(1, 10));
  } finally {
    rabbitmq.thaw();
  }
  await installation.replaceServer();
}

/** Of a server that another one's death has left calls to publish. */
const killSweeperAt =
  (point: KillPoint): Strike =>
  async ({ installation }) => {
    await installation.killServerAt('after-commit', randomInt(1, 20));
    await installation.replaceServer();
    const killed = installation.killServerAt(point, 1);
    await letSecondsPass(installation);
    await killed;
    await installation.replaceServer();
  };

async function killDuringCsvLoad(round: Round): Promise<void> {
  const killed = round.installation.killServerAt('csv-load', randomInt(1, 9));
  const uploads = [1, 2].map(() => round.uploadUnscheduled(CSV_ROWS));
  await killed;
  await Promise.all(uploads);
  await round.installation.replaceServer();
  await round.uploadUnscheduled(CSV_ROWS);
}

async function killDuringCampaignBatch(round: Round): Promise<void> {
  const killed = round.installation.killServerAt('campaign-batch', randomInt(1, 21));
  await round.uploadDue();
  await killed;
  await round.installation.replaceServer();
}

/** While owners of calls have webhooks and have not answered them. */
async function killDuringWebhook({ installation }: Round): Promise<void> {
  const { receiver } = installation;
  receiver.hold(WEBHOOK_PATH);
  const webhooks = randomInt(1, 11);
  await until(() => receiver.holding >= webhooks, 30_000);
  await installation.killServer();
  receiver.release(WEBHOOK_PATH);
}

/** With calls to publish, webhooks without an answer and keys whose attempts are gone. */
async function killAndLeaveAlone({ installation }: Round): Promise<void> {
  const { receiver } = installation;
  receiver.hold(WEBHOOK_PATH);
  await until(() => receiver.holding > 0, 30_000);
  await installation.killServerAt('after-commit', randomInt(1, 20));
  receiver.release(WEBHOOK_PATH);
  await installation.replaceServer();
}

export const KILLS: Record<string, Fault> = {
  'before-transaction': { strike: killAt('before-transaction', 20) },
  'inside-transaction': { strike: killInsideTransaction },
  'after-commit': { strike: killAt('after-commit', 20) },
  'after-socket-write': { strike: killAt('after-socket-write', 20) },
  'after-confirm': { strike: killAt('after-confirm', 20) },
  'before-reply': { strike: killAt('before-reply', 20) },
  'during-fenced-cancel': { strike: killDuringFencedCancel },
  'before-report': { strike: killAt('before-report', 20) },
  'sweeper-before-publish': { strike: killSweeperAt('sweeper-before-publish') },
  'sweeper-after-publish': { strike: killSweeperAt('sweeper-after-publish') },
  'csv-load': { strike: killDuringCsvLoad },
  'campaign-batch': { strike: killDuringCampaignBatch },
  'during-webhook': { strike: killDuringWebhook },
  'left-alone': { strike: killAndLeaveAlone, unhurried: true },
};
