import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BackgroundLoops } from '../../src/platform/background/background-loops';
import { migrate } from '../../src/platform/database/migrate';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import type { Answer } from '../support/client';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { TestParley, type TestWorkspace } from '../support/parley';
import { addPastCalls } from '../support/past-calls';
import { ReplicatedPostgres } from '../support/replicated-postgres';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';

const SERIES = '/api/reports/calls/series';
const STATISTICS = '/api/reports/agents/calls';
const EXPORT = '/api/calls/export';
const GROUPS = ['agent', 'outcome', 'campaign', 'direction', 'disconnect_reason'];

/** Campaigns that make no calls meanwhile. */
const LATER = { isScheduled: 'true', scheduleTime: '2040-01-01T00:00:00Z' };

/** The lines of a CSV file without its header. */
const countLines = (file: string) => file.split('\r\n').length - 2;

let folder: string;
let postgres: ReplicatedPostgres;
let database: { url: string; drop: () => Promise<void> };

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'parley-replica-'));
  postgres = await ReplicatedPostgres.start(folder);
  // The whole Postgres is removed.
  database = { url: postgres.primaryUrl, drop: () => Promise.resolve() };
  await migrate({ DATABASE_URL: database.url });
});
afterAll(async () => {
  await postgres.stop();
  rmSync(folder, { recursive: true });
});

/** Writes the row that a replica is measured by. @returns its time */
async function writeRow(parley: TestParley, age: string): Promise<string> {
  const [row] = await parley.sql<{ time: Date }>(
    `INSERT INTO replica_timestamps (written_at) VALUES (now() - interval '${age}')
     ON CONFLICT (id) DO UPDATE SET written_at = EXCLUDED.written_at RETURNING written_at AS time`,
  );
  return (row as { time: Date }).time.toISOString();
}

/** The time of an answer that must succeed; null: it was read from the primary. */
async function asOf({ api }: TestWorkspace, path: string): Promise<string | null> {
  const { status, headers, body } = await api.get(path);
  expect([status, body]).toEqual([200, body]);
  return headers.get('x-as-of');
}

describe('A server with REPORTS_DATABASE_URL', () => {
  let proxy: TcpProxy;
  const parley = useStarted(async () => {
    proxy = await TcpProxy.to(postgres.standbyUrl);
    return TestParley.start({ REPORTS_DATABASE_URL: proxy.url }, database);
  });
  let workspace: TestWorkspace;
  let agentId: string;
  let campaign: string;

  /** Sends a request until its answer is from the replica, whose check may have failed on a busy machine. */
  const readReplica = (path: string, api = workspace.api) =>
    until(async () => {
      const answer = await api.get(path);
      expect([answer.status, answer.body]).toEqual([200, answer.body]);
      return answer.headers.has('x-as-of') && answer;
    });
  const isRead = (fromReplica: boolean) =>
    until(async () => ((await asOf(workspace, SERIES)) !== null) === fromReplica);
  const readValue = async (metric: string) =>
    Number(new RegExp(`^${metric} (.*)$`, 'm').exec((await parley.api.get('/metrics')).body as string)?.[1]);

  beforeAll(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
    await new AgentCalls(workspace.api, agentId).start();
    campaign = await createCampaign(workspace.api, agentId, recipientsFile(3), LATER);
  });
  afterAll(() => proxy.cut());

  test('writes a row every five seconds, and says how old a report is', async () => {
    const first = await readReplica(SERIES);
    const second = await until(async () => {
      const next = await readReplica(SERIES);
      return next.body.data.as_of > first.body.data.as_of && next;
    });
    expect(second.headers.get('x-as-of')).toBe(second.body.data.as_of);
  });

  describe('whose row the test writes', () => {
    beforeAll(() => parley.app.get(BackgroundLoops).stop());
    // The row is from the future, so that the replica stays usable for as long as a test takes.
    beforeEach(async () => {
      await writeRow(parley, '-1 hour');
      await postgres.followed();
      await isRead(true);
    });

    test('reads series, statistics and exports from the replica, and lists, pages and credentials from the primary', async () => {
      const time = await writeRow(parley, '-2 hours');
      await postgres.followed();
      await postgres.pause();
      try {
        await writeRow(parley, '-3 hours');
        const calls = new AgentCalls(workspace.api, agentId);
        const [{ body: before }, id] = [await readReplica(SERIES), await calls.start()];

        const { body: series } = await readReplica(SERIES);
        expect(series.data).toMatchObject({ as_of: time, totals: before.data.totals });
        const { body: list } = await workspace.api.get('/api/calls');
        expect(list.data[0].call_id).toBe(id);
        expect(list.pagination.total).toBe(series.data.totals.calls + 1);
        expect((await readReplica(STATISTICS)).body.data.total_calls).toBe(series.data.totals.calls);
        const { body: exported } = await readReplica(EXPORT);
        expect(countLines(exported as string)).toBe(series.data.totals.calls);

        const recipients = `/api/campaign/${campaign}/recipients`;
        const onReplica = [STATISTICS, EXPORT, `${EXPORT}?agent_id=${agentId}`, `${recipients}/export`];
        for (const path of [...onReplica, ...GROUPS.map((group) => `${SERIES}?group_by=${group}`)])
          expect([path, (await readReplica(path)).headers.get('x-as-of')]).toEqual([path, time]);
        for (const path of [
          '/api/calls',
          `/api/calls/${id}`,
          recipients,
          `/api/agents/${agentId}/conversations`,
        ])
          expect([path, await asOf(workspace, path)]).toEqual([path, null]);

        const { body: key } = await workspace.api.post('/api/auth/api-keys', { scope: [`agent:${agentId}`] });
        const scoped = parley.api.with({ 'x-api-key': key.data.apiKey as string });
        expect((await readReplica(EXPORT, scoped)).body).toBe(exported);

        const young = await createCampaign(workspace.api, agentId, recipientsFile(2), LATER);
        const answer = await workspace.api.get(`/api/campaign/${young}/recipients/export`);
        expect([countLines(answer.body as string), answer.headers.get('x-as-of')]).toEqual([2, null]);
      } finally {
        await postgres.resume();
      }
      const { pagination } = (await workspace.api.get('/api/calls')).body;
      await until(async () => (await workspace.api.get(SERIES)).body.data.totals.calls === pagination.total);
    });

    test('does not use a replica that is more than 30 s behind', async () => {
      // Each check of the replica reads the row again.
      await until(async () => (await readValue('replica_seconds_behind')) === 0);
      await writeRow(parley, '31 seconds');
      await postgres.followed();
      await isRead(false);
      for (const path of [SERIES, STATISTICS, EXPORT]) expect(await asOf(workspace, path)).toBeNull();
      await until(async () => (await readValue('replica_seconds_behind')) > 30);
      expect((await parley.api.get('/health/ready')).status).toBe(200);

      await writeRow(parley, '0 seconds');
      await isRead(true);
    });

    test('reads from the primary while the replica is stopped, and from the replica when it is back', async () => {
      await postgres.stopStandby();
      for (const path of [SERIES, STATISTICS, EXPORT]) expect(await asOf(workspace, path)).toBeNull();
      const id = await new AgentCalls(workspace.api, agentId).start();
      expect((await workspace.api.get(EXPORT)).body).toContain(id);

      await postgres.restartStandby();
      await isRead(true);
      await postgres.followed();
      expect((await workspace.api.get(EXPORT)).body).toContain(id);
    });

    test('ends an export on the primary whose replica is stopped', async () => {
      const other = await parley.workspace();
      const agent = await createAgent(other);
      await new AgentCalls(other.api, agent).start();
      await addPastCalls(
        parley,
        other,
        `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
                timestamptz '2026-03-01' + n * interval '1 second' AS created_at, 60 AS duration_sec,
                repeat(md5(n::text), 60) AS outcome
         FROM generate_series(1, 12000) AS n`,
        [agent],
      );
      await postgres.followed();
      const response = await until(async () => {
        const headers = { 'x-api-key': other.apiKey };
        const request = httpGet(parley.url + EXPORT, { headers, agent: false });
        const [begun] = (await once(request, 'response')) as [IncomingMessage];
        if (begun.headers['x-as-of']) return begun;
        begun.resume();
        return undefined;
      });

      await postgres.stopStandby();
      expect(countLines(await text(response))).toBe(12_001);
      await postgres.restartStandby();
    });

    describe('and that reads a call for an hour, on the replica alone', () => {
      const BUSY = `FROM pg_stat_activity WHERE wait_event = 'PgSleep'`;

      /** Begins an export, and waits until the replica works on it. */
      async function beginExport(): Promise<{ answer: Promise<Answer> }> {
        for (;;) {
          let isOver = false;
          const answer = workspace.api.get(EXPORT).finally(() => (isOver = true));
          await until(async () => isOver || (await postgres.onStandby(`SELECT ${BUSY}`)));
          if (!isOver) return { answer };
        }
      }

      beforeAll(async () => {
        await parley.sql('ALTER TABLE agents RENAME TO all_agents');
        await parley.sql(
          `CREATE VIEW agents AS SELECT * FROM all_agents
           WHERE CASE WHEN pg_is_in_recovery() THEN pg_sleep(3600)::text = '' ELSE true END`,
        );
        await postgres.followed();
      });
      // Without the delay, the replica would also cancel what the test itself reads there.
      afterEach(async () => {
        await postgres.onStandby('ALTER SYSTEM RESET max_standby_streaming_delay');
        await postgres.onStandby('SELECT pg_reload_conf()');
        await postgres.onStandby(`SELECT pg_terminate_backend(pid) ${BUSY}`);
      });
      afterAll(async () => {
        await parley.sql('DROP VIEW agents');
        await parley.sql('ALTER TABLE all_agents RENAME TO agents');
        await postgres.followed();
      });

      test.each([
        {
          what: 'cancels the statement because the primary has locked what it reads',
          interrupt: async () => {
            await postgres.onStandby(`ALTER SYSTEM SET max_standby_streaming_delay = 0`);
            await postgres.onStandby('SELECT pg_reload_conf()');
            await parley.sql('DO $$ BEGIN LOCK TABLE all_agents IN ACCESS EXCLUSIVE MODE; END $$');
          },
        },
        {
          what: 'has an operator who cancels the statement',
          interrupt: () => postgres.onStandby(`SELECT pg_cancel_backend(pid) ${BUSY}`),
        },
        {
          what: 'has an operator who ends the session',
          interrupt: () => postgres.onStandby(`SELECT pg_terminate_backend(pid) ${BUSY}`),
        },
        { what: 'stops answering', interrupt: () => Promise.resolve(proxy.freeze({ newToo: true })) },
      ])('reads from the primary when the replica $what', async ({ interrupt }) => {
        const { answer } = await beginExport();
        await interrupt();

        const { status, headers, body } = await answer;
        expect([status, headers.get('x-as-of')]).toEqual([200, null]);
        const { pagination } = (await workspace.api.get('/api/calls')).body;
        expect(countLines(body as string)).toBe(pagination.total);
        await proxy.cut();
        await proxy.restore();
      });
    });
  });
});

describe('A server whose REPORTS_DATABASE_URL has the primary and a standby that is away', () => {
  test('starts, and uses the standby as soon as it is there', async () => {
    await postgres.stopStandby();
    const { host } = new URL(postgres.standbyUrl);
    const url = postgres.primaryUrl.replace(/@([^/]+)/, `@$1,${host}`);
    const parley = await TestParley.start({ ROLES: 'http', REPORTS_DATABASE_URL: url }, database);
    try {
      const workspace = await parley.workspace();
      const time = await writeRow(parley, '-1 hour');
      expect((await workspace.api.get(SERIES)).status).toBe(200);

      await postgres.restartStandby();
      await postgres.followed();
      await postgres.pause();
      await writeRow(parley, '-2 hours');
      // The primary has a later row.
      await until(async () => (await asOf(workspace, SERIES)) === time);
    } finally {
      await postgres.resume();
      await parley.stop();
    }
  });
});
