import { randomInt } from 'node:crypto';
import { ApiKeysService } from '../src/accounts/auth/api-keys.service';
import { CallRollupsService } from '../src/features/calls/counts/call-rollups.service';
import { ErasureRunner } from '../src/features/erasures/erasure-runner';
import { RetentionService } from '../src/features/retention/retention.service';
import { AgentCalls } from '../test/support/calls';
import type { ApiClient } from '../test/support/client';
import { TestParley } from '../test/support/parley';
import { until } from '../test/support/until';
import { TakenCall, TestWorker } from '../test/support/worker';
import { keptDatabase } from './kept-load';
import { median } from './report';

const ROUNDS = 41;
const SLOW_ROUNDS = 7;

const SETTINGS = { VERIFY_MINUTES: '0', RATE_LIMIT_PER_MINUTE: '1000000' };

/** The server of one of the databases, and the workspace that is measured. */
interface Kept {
  parley: TestParley;
  workspaceId: string;
  agentId: string;
  api: ApiClient;
  /** Calls of this workspace, spread over the year. */
  calls: { id: string; number: string }[];
  worker?: TestWorker;
}

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** The workspace with this rank by its number of calls. */
const RANKED = `
  SELECT workspace_id AS "workspaceId", agent_id AS "agentId" FROM agents
  JOIN agent_call_totals ON agent_id = agents.id ORDER BY calls DESC OFFSET $1 LIMIT 1`;

/** One call of each day, over the index of the time. */
const SAMPLE = `
  SELECT call.id, call.to_number AS number
  FROM generate_series(1, 360) AS day
  CROSS JOIN LATERAL (
    SELECT id, to_number FROM conversations
    WHERE workspace_id = $1 AND created_at > now() - day * interval '1 day' ORDER BY created_at LIMIT 1
  ) AS call`;

async function open(calls: number, rank: number, roles: string): Promise<Kept> {
  const parley = await TestParley.start({ ...SETTINGS, ROLES: roles }, keptDatabase(calls));
  const [ranked] = await parley.sql<{ workspaceId: string; agentId: string }>(RANKED, [rank - 1]);
  if (!ranked) throw new Error('There is no such workspace.');
  const { workspaceId, agentId } = ranked;
  const { apiKey } = await parley.app.get(ApiKeysService, { strict: false }).create(workspaceId, 'bench');
  const sample = await parley.sql<{ id: string; number: string }>(SAMPLE, [workspaceId]);
  return { parley, workspaceId, agentId, api: parley.api.with({ 'x-api-key': apiKey }), calls: sample };
}

type Work = (kept: Kept) => Promise<unknown>;

const read =
  (path: (kept: Kept) => string): Work =>
  async (kept) => {
    const { status } = await kept.api.get(path(kept));
    if (status !== 200) throw new Error(`${path(kept)} was answered ${status}`);
  };

const pick = ({ calls }: Kept) => calls[randomInt(calls.length)] as Kept['calls'][number];

/** Deletes the next calls, of which the oldest are due. */
const retain: Work = ({ parley, workspaceId }) =>
  parley.app.get(RetentionService, { strict: false }).deleteCalls({
    workspaceId,
    days: 300,
    afterTime: '-infinity',
    afterId: '00000000-0000-0000-0000-000000000000',
  });

/** Erases the person of a call, without the wait of the loop. */
const erase: Work = async (kept) => {
  const { api, parley } = kept;
  const asked = await api.post('/api/erasures', { phone_number: pick(kept).number });
  const { erasure_id: id } = (asked.body as { data: { erasure_id: string } }).data;
  const isCompleted = async () => {
    await parley.app.get(ErasureRunner, { strict: false })['run']();
    const answer = await api.get(`/api/erasures/${id}`);
    return (answer.body as { data: { status: string } }).data.status === 'completed';
  };
  await until(isCompleted);
};

const READS: Record<string, Work> = {
  'list, first page': read(() => '/api/calls'),
  'list, failed': read(() => '/api/calls?status=failed'),
  'list, a number': read((kept) => `/api/calls?number=${encodeURIComponent(pick(kept).number)}`),
  'list, page 1000': read(() => '/api/calls?page=1000'),
  "an agent's list": read(({ agentId }) => `/api/agents/${agentId}/conversations`),
  detail: read((kept) => `/api/agents/${kept.agentId}/conversations/${pick(kept).id}`),
  'series, 30 days by day': read(() => `/api/reports/calls/series?interval=day&start_date=${daysAgo(30)}`),
  'series, a year by week': read(() => '/api/reports/calls/series?interval=week&group_by=outcome'),
  'response times, 30 days': read(
    () => `/api/reports/calls/measurements?interval=day&start_date=${daysAgo(30)}`,
  ),
  'response times, a year': read(() => '/api/reports/calls/measurements?interval=week'),
  statistics: read(() => `/api/reports/agents/calls?start_date=${daysAgo(90)}`),
};

const CHANGES: Record<string, Work> = { 'retention, one step': retain, erasure: erase };

const start: Work = ({ api, agentId }) => new AgentCalls(api, agentId).start();

/** Prints the medians of both sides, which take turns, so that the load of the machine is the same for both. */
async function compare(
  works: Record<string, Work>,
  sides: readonly [Kept, Kept],
  rounds: number,
): Promise<void> {
  for (const [name, work] of Object.entries(works)) {
    const times: [number[], number[]] = [[], []];
    for (let round = 0; round <= rounds; round += 1) {
      for (const [index, side] of sides.entries()) {
        const startedAt = performance.now();
        await work(side);
        // The first round fills caches.
        if (round > 0) times[index]?.push(performance.now() - startedAt);
      }
    }
    const [small, large] = times.map(median) as [number, number];
    const shown = [small, large].map((time) => `${time.toFixed(1).padStart(8)} ms`).join('  ');
    console.log(`${shown}  ${(large / small).toFixed(2).padStart(5)}  ${name}`);
  }
}

/** The life of a call from its claim to the row that says how it ended. */
const end: Work = async ({ api, agentId, parley, worker }) => {
  const calls = new AgentCalls(api, agentId);
  const id = await calls.start();
  const { body } = await (await (worker as TestWorker).findOffer(id)).claim();
  await new TakenCall(parley, id, body.token).ended();
  await calls.reached(id, 'disconnected');
};

const CALLS: Record<string, Work> = { 'start a call': start, 'start, claim and end': end };

async function withSides(
  sizes: readonly [number, number],
  { rank, roles }: { rank: number; roles: string },
  use: (sides: readonly [Kept, Kept]) => Promise<void>,
) {
  const sides = [await open(sizes[0], rank, roles), await open(sizes[1], rank, roles)] as const;
  await use(sides);
  for (const { worker, parley } of sides) {
    await worker?.stop();
    await parley.stop({ keepDatabase: true });
  }
}

/** Measures the same requests on two databases, in turns. */
export async function compareKept(sizes: readonly [number, number], rank: number): Promise<void> {
  console.log(`${sizes[0]} calls, ${sizes[1]} calls, the ratio of their medians`);
  await withSides(sizes, { rank, roles: 'http' }, async (sides) => {
    for (const { parley, workspaceId } of sides) {
      await parley.app.get(CallRollupsService, { strict: false }).rollUp({ workspaceId });
    }
    await compare(READS, sides, ROUNDS);
  });
  // The smaller workspaces of the smaller database have too few old calls to remove.
  await withSides(sizes, { rank: 1, roles: 'http' }, (sides) => compare(CHANGES, sides, SLOW_ROUNDS));
  await withSides(sizes, { rank: 1, roles: 'http,background' }, async (sides) => {
    for (const side of sides) side.worker = await TestWorker.start(side.parley);
    await compare(CALLS, sides, ROUNDS);
  });
}
