import { migrate } from '../src/platform/database/migrate';
import type { CallStatisticsQuery } from '../src/features/reports/statistics/call-statistics.dto';
import { CallStatisticsService } from '../src/features/reports/statistics/call-statistics.service';
import { Replica } from '../src/platform/replica/replica';
import { CallRollupsService } from '../src/features/calls/counts/call-rollups.service';
import { createAgent } from '../test/support/agents';
import { AgentCalls } from '../test/support/calls';
import type { ApiClient } from '../test/support/client';
import { createDatabase } from '../test/support/database';
import { TestParley } from '../test/support/parley';
import { addPastCalls } from '../test/support/past-calls';
import { median } from './report';

/**
 * Measures the statistics and the pages of the calls of one workspace over a year: the time of each request through
 * HTTP, of its part in Postgres, of another route with little work, and of a count of the calls themselves.
 *
 * TEST_DATABASE_URL=… npm run bench:statistics [calls …]
 */
const SIZES = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [500_000, 5_000_000];
const ROUNDS = 41;
const NAIVE_ROUNDS = 3;
const CHUNK = 250_000;
const DEEP = 24_000;
const AGENTS = 8;

const dayAgo = (days: number) => new Date(Date.now() - days * 86_400_000 + 7 * 60_000).toISOString();

/** The condition of the naive count, by the query. */
const FILTERS: Record<string, string> = Object.fromEntries(
  ['', `start_date=${dayAgo(300)}`, `start_date=${dayAgo(300)}&end_date=${dayAgo(20)}`].flatMap((dates) =>
    ['', 'status=success', 'status=failed'].flatMap((status) =>
      ['', 'agent_type=webcall'].map((type) => {
        const query = new URLSearchParams([dates, status, type].filter(Boolean).join('&'));
        const conditions = [
          query.has('start_date') && `created_at >= '${query.get('start_date')}'`,
          query.has('end_date') && `created_at <= '${query.get('end_date')}'`,
          query.has('status') && `status = '${status.endsWith('failed') ? 'failed' : 'disconnected'}'`,
          query.has('agent_type') && `call_type = 'webcall'`,
        ];
        return [query.toString(), ['true', ...conditions.filter(Boolean)].join(' AND ')];
      }),
    ),
  ),
);

function toQuery(text: string): CallStatisticsQuery {
  const { start_date, end_date, ...others } = Object.fromEntries(new URLSearchParams(text));
  const dates = { start_date: start_date && new Date(start_date), end_date: end_date && new Date(end_date) };
  return { page: 1, limit: 10, ...dates, ...others } as CallStatisticsQuery;
}

/** The median of each work. They take turns, so that the load of the machine is the same for all. */
async function measureTimes(works: (() => Promise<unknown>)[], rounds = ROUNDS): Promise<number[]> {
  const times: number[][] = works.map(() => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [index, work] of works.entries()) {
      const startedAt = performance.now();
      await work();
      times[index]?.push(performance.now() - startedAt);
    }
  }
  return times.map(median);
}

interface ListData {
  total_calls?: number;
  calls?: unknown[];
  conversations?: unknown[];
}

async function get(api: ApiClient, path: string) {
  const response = await api.get(path);
  if (response.status !== 200) throw new Error(`${path} was answered ${response.status}`);
  const { data } = response.body as { data: ListData };
  return data;
}

const ms = (time: number) => `${time.toFixed(2).padStart(8)} ms`;

/** Half of the calls are those of the first agent, every 20th is a web call, and every 10th has failed. */
async function seed(parley: TestParley, calls: number) {
  const workspace = await parley.workspace();
  const agents = await Promise.all(Array.from({ length: AGENTS }, () => createAgent(workspace)));
  await new AgentCalls(workspace.api, agents[0] as string).start();
  for (let from = 0; from < calls; from += CHUNK) {
    await addPastCalls(
      { sql: (text, values) => parley.sql(text, values) },
      workspace,
      `SELECT (lpad(to_hex((extract(epoch FROM created_at) * 1000)::bigint), 12, '0') || '70008000'
               || lpad(to_hex(n), 12, '0'))::uuid AS id,
              ($2::uuid[])[CASE WHEN n % 2 = 0 THEN 1 ELSE 1 + n / 2 % ${AGENTS} END] AS agent_id, created_at,
              CASE WHEN n % 20 = 3 THEN 'webcall' ELSE 'phonecall' END AS call_type,
              CASE WHEN n % 10 = 7 THEN 'failed' ELSE 'disconnected' END AS status,
              CASE WHEN n % 10 = 7 THEN 0 ELSE n % 300 END AS duration_sec
       FROM (SELECT n, now() - interval '365 days' + n * (interval '365 days' / $3::float8) AS created_at
             FROM generate_series($4::int, $5::int) AS n) AS numbers`,
      [agents, calls, from, Math.min(from + CHUNK, calls) - 1],
    );
  }
  await parley.sql('VACUUM (ANALYZE) conversations');
  return { workspace, agent: agents[0] as string };
}

async function measure(parley: TestParley, calls: number): Promise<void> {
  const { workspace, agent } = await seed(parley, calls);
  const { api, workspaceId } = workspace;
  const startedAt = performance.now();
  await parley.app.get(CallRollupsService, { strict: false }).rollUp();
  const seconds = (performance.now() - startedAt) / 1_000;
  await parley.sql('VACUUM (ANALYZE) call_rollups');
  const [size] = await parley.sql<{ rows: number; bytes: number }>(
    `SELECT count(*)::int AS rows, pg_total_relation_size('call_rollups')::float8 AS bytes FROM call_rollups`,
  );
  const bytes = ((size?.bytes ?? 0) / calls).toFixed(0);
  console.log(
    `\n${calls} calls, rolled up in ${seconds.toFixed(1)} s to ${size?.rows} rows, ${bytes} bytes a call`,
  );

  const withoutWork = () => get(api, '/api/workspace');
  console.log('statistics, p50        HTTP       Postgres  other route  naive count  filter');
  const statistics = parley.app.get(CallStatisticsService, { strict: false });
  const reader = parley.app.get(Replica).open();
  const count = (condition: string) =>
    parley.sql<{ total: number }>(
      `SELECT count(*)::int AS total, count(*) FILTER (WHERE status = 'failed'),
              round(avg(duration_sec) FILTER (WHERE status = 'disconnected'))
       FROM conversations WHERE workspace_id = $1 AND ${condition}`,
      [workspaceId],
    );
  for (const [query, condition] of Object.entries(FILTERS)) {
    const path = `/api/reports/agents/calls?${query}`;
    const [{ total_calls }, [naive]] = await Promise.all([get(api, path), count(condition)]);
    if (total_calls !== naive?.total) throw new Error(`${total_calls} calls are not ${naive?.total}`);
    const times = await measureTimes([
      () => get(api, path),
      () => statistics.read(reader, workspaceId, toQuery(query)),
      withoutWork,
    ]);
    const slow = await measureTimes([() => count(condition)], NAIVE_ROUNDS);
    console.log(`                ${[...times, ...slow].map(ms).join('  ')}  ${query || 'none'}`);
  }

  console.log(`pages, p50           page 1     page ${DEEP}  ratio  naive page ${DEEP}`);
  const lists = {
    [`/api/reports/agents/calls?`]: 'true',
    [`/api/reports/agents/calls?status=success&`]: `status = 'disconnected'`,
    [`/api/agents/${agent}/conversations?`]: `agent_id = '${agent}'`,
  };
  for (const [path, condition] of Object.entries(lists)) {
    const { calls: rows, conversations } = await get(api, `${path}page=${DEEP}`);
    if ((rows ?? conversations)?.length !== 10) throw new Error(`${path} has no page ${DEEP}`);
    const [first = NaN, deep = NaN] = await measureTimes([
      () => get(api, `${path}page=1`),
      () => get(api, `${path}page=${DEEP}`),
    ]);
    const [naive = NaN] = await measureTimes(
      [
        () =>
          parley.sql(
            `SELECT id, created_at, status FROM conversations WHERE workspace_id = $1 AND ${condition}
             ORDER BY created_at DESC, id DESC OFFSET ${(DEEP - 1) * 10} LIMIT 10`,
            [workspaceId],
          ),
      ],
      NAIVE_ROUNDS,
    );
    console.log(
      `                ${ms(first)}  ${ms(deep)}   ${(deep / first).toFixed(2)}  ${ms(naive)}  ${path.replace(agent, ':id')}`,
    );
  }
}

async function main() {
  globalThis.BROKER = 'in-process';
  for (const calls of SIZES) {
    const database = await createDatabase({ empty: true });
    await migrate({ DATABASE_URL: database.url });
    const parley = await TestParley.start({ ROLES: 'http', WORKSPACE_CONCURRENCY: '1000000' }, database);
    try {
      await measure(parley, calls);
    } finally {
      await parley.stop();
    }
  }
}

void main();
