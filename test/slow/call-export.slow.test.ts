import { parse } from 'csv-parse/sync';
import { once } from 'node:events';
import { get as httpGet, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { GracefulClose } from '../../src/platform/http/graceful-close';
import { createAgent } from '../support/agents';
import { invalid, outcome, refused, withoutTable } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { memoryDuring } from '../support/memory';
import { addPastCalls, withAgents } from '../support/past-calls';
import { JWT_SECRET, TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { ServerProcess } from '../support/server-process';
import { until } from '../support/until';

type Row = Record<string, string>;

const MANY = 30_000;

/** An export of any size uses up to 115 MB, most of it for garbage. All of these calls would need 200 MB more. */
const MAX_GROWTH_MB = 160;

/** Calls with long outcomes, and the last ones with long summaries: about 125 MB as CSV. */
const addMany = (parley: TestParley, workspace: TestWorkspace, agentId: string, count = MANY) =>
  addPastCalls(
    parley,
    workspace,
    `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
            timestamptz '2026-03-01' + n * interval '1 second' AS created_at, 60 AS duration_sec,
            repeat(md5(n::text), 60) AS outcome,
            CASE WHEN n > $3 - 3000 THEN repeat(md5(n::text), 625) ELSE '' END AS summary
     FROM generate_series(1, $3::int) AS n`,
    [agentId, count],
  );

/** Begins an export, and reads nothing of its body. */
async function begin(
  { url }: { url: string },
  { apiKey }: TestWorkspace,
  query = '',
): Promise<IncomingMessage> {
  const headers = { 'x-api-key': apiKey };
  const request = httpGet(`${url}/api/calls/export${query}`, { headers, agent: false });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  // A reset connection is reported by the request too.
  request.on('error', (error) => response.destroy(error));
  return response;
}

const parseRows = (csv: string) => parse<Row>(csv, { columns: true });

describe('The export of calls', () => {
  const parley = useOwnParley({ WORKSPACE_CONNECTIONS: '2' });

  const read = async ({ api }: Pick<TestWorkspace, 'api'>, query = '') => {
    const { status, headers, body } = await api.get(`/api/calls/export${query}`);
    if (status !== 200) throw new Error(`The export was answered ${status}: ${JSON.stringify(body)}`);
    return { headers, body: body as string };
  };

  const connectionsInUse = async () => {
    const rows = await parley.sql(
      `SELECT FROM pg_stat_activity
       WHERE datname = current_database() AND state <> 'idle' AND pid <> pg_backend_pid() AND query LIKE '%after%'`,
    );
    return rows.length;
  };

  test('has a header and a line for each call, newest first, by RFC 4180', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { name: 'Desk, "main"' });
    const calls = new AgentCalls(workspace.api, agentId);
    const first = await calls.start({ customer_name: 'Ada\nLovelace', external_id: 'a,b' });
    const second = await calls.start({ to_number: '+442071234567' });

    const { headers, body } = await read(workspace);
    expect(headers.get('content-type')).toBe('text/csv; charset=utf-8; header=present');
    expect(headers.get('content-disposition')).toBe('attachment; filename="calls.csv"');
    expect(body.split('\r\n')[0]).toBe(
      'call_id,agent_id,agent_name,agent_deleted,agent_version,campaign_id,direction,channel,call_type,to_number,' +
        'from_number,customer_name,external_id,status,disconnect_reason,disconnected_by,created_at,connected_at,' +
        'ended_at,duration_sec,charge,outcome,has_recording,campaign_name,summary',
    );
    expect(body.endsWith('\r\n')).toBe(true);
    expect(parseRows(body)).toMatchObject([
      { call_id: second, to_number: '+442071234567', campaign_id: '', agent_deleted: 'false' },
      { call_id: first, agent_name: 'Desk, "main"', customer_name: 'Ada\nLovelace', external_id: 'a,b' },
    ]);
  });

  test('names the campaign of a call and has its summary', async () => {
    const { workspace, agents } = await withAgents(parley);
    const campaign = await createCampaign(workspace.api, agents[0], recipientsFile(1), {
      ...{ campaignName: 'Reminders, spring', isScheduled: 'true', scheduleTime: '2100-01-01T00:00:00Z' },
    });
    await addPastCalls(
      parley,
      workspace,
      `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, $3::uuid AS campaign_id, 'phonecall' AS call_type,
              'disconnected' AS status, timestamptz '2026-03-01' AS created_at, 60 AS duration_sec,
              '=Asked "when"' AS summary`,
      [agents[0], campaign],
    );

    const rows = parseRows((await read(workspace)).body);
    expect(rows).toMatchObject([
      { campaign_name: '', summary: '' },
      { campaign_name: 'Reminders, spring', summary: `'=Asked "when"` },
    ]);
  });

  test('has the objects of the list as JSON lines, with the campaign, the summary and the findings', async () => {
    const { workspace } = await withAgents(parley);
    const response = await begin(parley, workspace, '?format=jsonl');
    const lines = (await text(response)).split('\n');
    expect(response.headers['content-type']).toBe('application/x-ndjson; charset=utf-8');
    const { body } = await workspace.api.get('/api/calls');
    const more = { campaign_name: null, summary: '', findings: {} };
    const listed = (body.data as object[]).map((call) => ({ ...call, ...more }));
    expect(lines.slice(0, -1).map((line) => JSON.parse(line) as object)).toEqual(listed);
    expect(lines.at(-1)).toBe('');
  });

  test('of a workspace without calls is a header', async () => {
    const { body } = await read(await parley.workspace());
    expect(body.split('\r\n')).toHaveLength(2);
  });

  test('makes the cells harmless that a spreadsheet would run, and keeps phone numbers', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace, { name: '@SUM(A1)' }));
    const names = [
      '=HYPERLINK("http://a")',
      '+1+cmd',
      '-2+3',
      '\t=1',
      '\r=1',
      'plain',
      '+15551234567',
      'a;=1+1; @b',
      'x;"=1+1',
      'x|\n"+1',
    ];
    for (const customer_name of names) await calls.start({ customer_name });

    const rows = parseRows((await read(workspace)).body).reverse();
    expect(rows.map(({ customer_name }) => customer_name)).toEqual([
      `'=HYPERLINK("http://a")`,
      `'+1+cmd`,
      `'-2+3`,
      `'\t'=1`,
      `'\r'=1`,
      'plain',
      '+15551234567',
      `a;'=1+1; '@b`,
      `x;"'=1+1`,
      `x|\n"'+1`,
    ]);
    expect(rows[0]).toMatchObject({ agent_name: `'@SUM(A1)`, to_number: '+15551234567' });
  });

  test('has each call once while others are accepted', async () => {
    const { workspace, agents } = await withAgents(parley);
    const add = (count: number, from: string) =>
      addPastCalls(
        parley,
        workspace,
        `SELECT gen_random_uuid() AS id, $2::uuid AS agent_id, 'phonecall' AS call_type, 'disconnected' AS status,
                $3::timestamptz + n * interval '1 ms' AS created_at, CASE WHEN n % 25 = 0 THEN 7 ELSE 8 END AS duration_sec
         FROM generate_series(1, $4::int) AS n`,
        [agents[0], from, count],
      );
    await add(12_000, '2026-03-01');
    let isOver = false;
    const addUntilOver = async (start: number) => {
      for (let time = start; !isOver; time += 1_000) await add(100, new Date(time).toISOString());
    };
    const adding = Promise.all([1, 2].map((month) => addUntilOver(Date.UTC(2026, 3 + month))));

    for (let time = 1; time <= 12; time += 1) {
      const ids = parseRows((await read(workspace, '?duration_max=7')).body).map(({ call_id }) => call_id);
      expect(ids.length).toBeGreaterThanOrEqual(480);
      expect(new Set(ids).size).toBe(ids.length);
    }
    isOver = true;
    await adding;
  });

  test('takes the filters of the list, and the scopes of the credential', async () => {
    const { workspace, agents } = await withAgents(parley);
    await addMany(parley, workspace, agents[1], 700);
    const ids = async (api: Pick<TestWorkspace, 'api'>, query: string) =>
      parseRows((await read(api, query)).body).map(({ agent_id }) => agent_id);

    expect(new Set(await ids(workspace, '?status=disconnected'))).toEqual(new Set([agents[1]]));
    expect(await ids(workspace, '?status=disconnected')).toHaveLength(700);
    expect(await ids(workspace, '?number=4567')).toHaveLength(701);
    expect(await ids(workspace, '?number=9999')).toEqual([]);
    const scoped = { api: parley.scoped(workspace, `agent:${agents[0]}`) };
    expect(await ids(scoped, '')).toEqual([agents[0]]);
    expect(await ids(scoped, `?agent_id=${agents[1]}`)).toEqual([]);
  });

  test.each([
    ['format=xml', 'query.format'],
    ['sortBy=created_at', 'query.sortBy'],
    ['page=1', 'query.page'],
    ['colour=red', 'query.colour'],
  ])('refuses %s, by name', async (query, field) => {
    const workspace = await parley.workspace();
    expect(await outcome(workspace.api.get(`/api/calls/export?${query}`))).toEqual(invalid(field));
  });

  describe('of many calls', () => {
    let workspace: TestWorkspace;
    beforeAll(async () => {
      const { workspace: created, agents } = await withAgents(parley);
      workspace = created;
      await addMany(parley, workspace, agents[0]);
    });

    test('has each call once', async () => {
      const { body } = await read(workspace);
      const ids = body
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.slice(0, 36));
      expect(ids).toHaveLength(MANY + 1);
      expect(new Set(ids).size).toBe(MANY + 1);
    });

    test('never holds all of them in memory', async () => {
      const server = await ServerProcess.start({
        DATABASE_URL: parley.database.url,
        JWT_SECRET,
        LOG_LEVEL: 'warn',
      });
      try {
        let bytes = 0;
        const { atRest, peak } = await memoryDuring(server.api, async () => {
          const response = await begin(server, workspace);
          for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length;
        });
        expect(bytes).toBeGreaterThan(MANY * 1_900);
        expect(peak - atRest).toBeLessThan(MAX_GROWTH_MB);
      } finally {
        await server.stop();
      }
    });

    test('holds no connection of the database while its reader takes nothing, at most two at once', async () => {
      const slow = [await begin(parley, workspace), await begin(parley, workspace)];
      await until(async () => (await connectionsInUse()) === 0);
      expect((await workspace.api.get('/api/calls')).status).toBe(200);
      expect(await outcome(workspace.api.get('/api/calls/export'))).toEqual(
        refused(503, 'The workspace has too many requests in progress', {
          error_code: 'WORKSPACE_BUSY',
          error: { details: expect.stringContaining('no export became free within 5 s') as string },
        }),
      );
      const other = await parley.workspace();
      expect((await other.api.get('/api/calls/export')).status).toBe(200);

      for (const response of slow) response.destroy();
      const { body } = await read(workspace, '?number=9999');
      expect(parseRows(body)).toEqual([]);
      await until(async () => (await connectionsInUse()) === 0);
    });

    test('is cut when its key is revoked, although it is still being read', async () => {
      const { keyId, apiKey } = (await workspace.api.post('/api/auth/api-keys', {})).body.data;
      const response = await begin(parley, { ...workspace, apiKey });
      await workspace.api.delete(`/api/auth/api-keys/${keyId}`);
      const readOn = async () => {
        // Between two parts, the server has time to check the key.
        for await (const _ of response) await workspace.api.get('/api/session');
        return 'complete';
      };
      // The connection is reset, so that no data that the kernel has kept arrives.
      expect(await readOn().catch((error: Error) => error.message)).toMatch(/aborted|ECONNRESET/);
      expect(response.complete).toBe(false);
    });

    test('that fails is cut, and does not look complete', async () => {
      const response = await begin(parley, workspace);
      const received = await withoutTable(parley, 'call_recordings', () =>
        text(response).catch((error: Error) => error.message),
      );
      expect(received).toBe('aborted');
    });

    test('is cut by a stop of the server, which does not wait for its reader', async () => {
      const stopping = await TestParley.start({ ROLES: 'http' }, parley.database);
      const response = await begin(stopping, workspace);
      const closed = new Promise((resolve) => response.once('close', resolve));
      response.on('error', () => undefined);
      await stopping.stop({ keepDatabase: true });
      response.resume();
      await closed;
      expect(response.complete).toBe(false);
      expect(stopping.app.get(GracefulClose).cutRequests).toBe(0);
    });
  });
});
