import { CallRollupsService } from '../src/features/calls/counts/call-rollups.service';
import { migrate } from '../src/platform/database/migrate';
import { createAgent } from '../test/support/agents';
import { createDatabase } from '../test/support/database';
import { TestParley } from '../test/support/parley';
import { addLargeWorkspace, type LargeWorkspace, vacuum } from './large-workspace';
import { median } from './report';

/**
 * Measures the list of calls and the series of one large workspace by each filter, through HTTP.
 *
 * TEST_DATABASE_URL=… npm run bench:calls [calls]
 */
const CALLS = Number(process.argv[2] ?? 10_000_000);
const AGENTS = 8;
const ROUNDS = 11;

/** Requests that take seconds are measured less often. */
const SLOW_MS = 1_000;

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

const listFilters = ({ agent, campaign }: LargeWorkspace) => [
  '',
  `agent_id=${agent}`,
  `agent_id=${agent}&start_date=${daysAgo(30)}`,
  `agent_id=${agent}&agent_version=1`,
  `campaign_id=${campaign}`,
  `campaign_id=${campaign}&status=failed`,
  `campaign_id=${campaign}&outcome=booked`,
  'status=failed',
  'status=queued&status=accepted&status=connected',
  'disconnect_reason=dial_busy&disconnect_reason=worker_lost',
  'direction=inbound',
  'channel=voice_eu',
  'call_type=webcall',
  'outcome=booked',
  'worker_id=worker-3',
  `start_date=${daysAgo(200)}&end_date=${daysAgo(100)}`,
  'number=4567',
  'number=%2B12345678901',
  'external_id=crm-4711',
  'duration_min=600',
  'duration_min=60&duration_max=120',
  'duration_min=700',
  'duration_min=77&duration_max=80',
  'number=%2B15557651000',
  'number=1000',
  `agent_id=${agent}&outcome=booked`,
  'customer_name=Ada',
];

const SERIES = ({ agent, campaign }: LargeWorkspace) => [
  'interval=day',
  'interval=day&timezone=America/New_York&group_by=outcome',
  'interval=day&timezone=Asia/Kathmandu',
  'interval=month&group_by=disconnect_reason',
  `interval=hour&group_by=direction&start_date=${daysAgo(83)}`,
  `interval=week&campaign_id=${campaign}&group_by=outcome`,
  `interval=day&agent_id=${agent}&group_by=outcome&start_date=${daysAgo(30)}`,
  `interval=week&agent_id=${agent}&group_by=outcome`,
];

async function measureTimes({ workspace }: LargeWorkspace, path: string): Promise<string> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const startedAt = performance.now();
    const { status } = await workspace.api.get(path);
    times.push(performance.now() - startedAt);
    if (status !== 200) return `answered ${status} after ${Math.round(times[round] ?? 0)} ms`;
    if ((times.at(-1) ?? 0) > SLOW_MS && round > 0) break;
  }
  return `${median(times).toFixed(0).padStart(7)} ms`;
}

async function main() {
  globalThis.BROKER = 'in-process';
  const database = await createDatabase({ empty: true });
  await migrate({ DATABASE_URL: database.url });
  const parley = await TestParley.start({ ROLES: 'http', RATE_LIMIT_PER_MINUTE: '1000000' }, database);
  try {
    const created = await parley.workspace();
    const agents = await Promise.all(Array.from({ length: AGENTS }, () => createAgent(created)));
    const workspace = await addLargeWorkspace(parley, created, agents, CALLS);
    const startedAt = performance.now();
    await parley.app.get(CallRollupsService, { strict: false }).rollUp();
    console.log(`Rolled up in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`);
    await vacuum(parley, 'call_value_rollups, call_values, call_segments, call_rollups');
    for (const filter of listFilters(workspace)) {
      const answer = await workspace.workspace.api.get(`/api/calls?${filter}`);
      const { pagination } = answer.body as { pagination?: { total: number } };
      const total = pagination?.total ?? 0;
      const middle = Math.max(1, Math.floor(total / 20));
      const times = [
        await measureTimes(workspace, `/api/calls?${filter}`),
        await measureTimes(workspace, `/api/calls?${filter}&page=${middle}`),
      ];
      console.log(`${times.join('  middle page ')}  ${String(total).padStart(9)} calls  ${filter || 'all'}`);
    }
    for (const query of SERIES(workspace)) {
      console.log(`${await measureTimes(workspace, `/api/reports/calls/series?${query}`)}  series ${query}`);
    }
  } finally {
    await parley.stop();
  }
}

void main();
