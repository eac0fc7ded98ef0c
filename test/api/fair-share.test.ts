import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { createKnowledgeBase, indexed } from '../support/knowledge-bases';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';

const busy = (message: string, details: string, error_code: string) =>
  refused(503, message, { error: { details }, error_code });

const locked = () =>
  busy(
    'The data is in use',
    'Another request holds a lock on it and did not release it in time. Nothing was changed.',
    'RESOURCE_LOCKED',
  );

describe('With four database connections, two of them for one workspace', () => {
  /** A connection that holds the locks that requests wait for. */
  let holder: Client;
  // The hook is registered first: the server's `afterAll` drops the database.
  afterAll(() => holder?.end());
  const parley = useOwnParley({ DATABASE_POOL_SIZE: '4', ROLES: 'http' });
  let workspace: TestWorkspace;
  let neighbour: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    [workspace, neighbour] = [await parley.workspace(), await parley.workspace()];
    agentId = await createAgent(workspace);
    holder = new Client(parley.database.url);
    await holder.connect();
  });

  /** The process ids of the sessions that wait for a lock. */
  async function waiting(): Promise<number[]> {
    await holder.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await holder.query<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.map(({ pid }) => pid);
  }

  const isConnected = async (pid: number) => {
    await holder.query('SELECT pg_stat_clear_snapshot()');
    return (await holder.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid])).rowCount === 1;
  };

  test('requests that wait for a lock leave connections for other workspaces, and are refused after the time limit', async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM agents WHERE id = $1 FOR UPDATE', [agentId]);
    const change = () => workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting: 'Hello' });

    const changes = Array.from({ length: 6 }, change);
    await until(async () => (await waiting()).length === 2);
    const neighbours = await Promise.all(
      Array.from({ length: 4 }, () => neighbour.api.get('/api/workspace')),
    );
    expect(neighbours.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(await waiting()).toHaveLength(2);

    const first = await Promise.race(changes);
    expect(first.headers.get('retry-after')).toBe('1');
    expect(await outcome(Promise.resolve(first))).toEqual(locked());
    await holder.query('COMMIT');
    const statuses = (await Promise.all(changes)).map(({ status }) => status);
    expect(statuses.every((status) => status === 200 || status === 503)).toBe(true);
    expect((await change()).status).toBe(200);
  });

  test('the statement of a request that only reads ends in the database when its client disconnects', async () => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE conversations');
    const client = new AbortController();
    const abandoned = workspace.api
      .raw('/api/reports/agents/calls', { signal: client.signal })
      .catch((error: Error) => error.name);
    const [pid = 0] = await until(async () => {
      const pids = await waiting();
      return pids.length > 0 && pids;
    });

    client.abort();

    expect(await abandoned).toBe('AbortError');
    await until(async () => !(await isConnected(pid)));
    await holder.query('COMMIT');
    expect((await workspace.api.get('/api/reports/agents/calls')).status).toBe(200);
  });

  test('a request that changes something continues when its client disconnects', async () => {
    await holder.query('BEGIN');
    await holder.query('SELECT FROM agents WHERE id = $1 FOR UPDATE', [agentId]);
    const client = new AbortController();
    const abandoned = workspace.api
      .raw(`/api/agents/${agentId}`, {
        method: 'PUT',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ type: 'outbound', greeting: 'Changed' }),
        signal: client.signal,
      })
      .catch((error: Error) => error.name);
    await until(async () => (await waiting()).length === 1);

    client.abort();
    expect(await abandoned).toBe('AbortError');
    await holder.query('COMMIT');

    await until(
      async () => (await workspace.api.get(`/api/agents/${agentId}`)).body.data[0].greeting === 'Changed',
    );
  });
});

describe('Lists that may read many rows', () => {
  let holder: Client;
  afterAll(() => holder?.end());
  const parley = useOwnParley({ DATABASE_POOL_SIZE: '12', ROLES: 'http' });
  let workspace: TestWorkspace;
  let neighbour: TestWorkspace;

  beforeAll(async () => {
    [workspace, neighbour] = [await parley.workspace(), await parley.workspace()];
    holder = new Client(parley.database.url);
    await holder.connect();
  });

  const countWaiting = async () => {
    await holder.query('SELECT pg_stat_clear_snapshot()');
    const { rows } = await holder.query(
      `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
    );
    return rows.length;
  };

  test.each([
    ['conversations', '/api/calls?customer_name=a'],
    ['conversations', '/api/calls?sortBy=charge'],
    ['conversations', '/api/calls?outcome=a&worker_id=b'],
    ['agents', '/api/agents?search=a'],
    ['campaigns', '/api/campaign?search=a'],
    ['knowledge_bases', '/api/knowledge-base?search=a'],
    ['do_not_call', '/api/do-not-call'],
    ['audit_entries', '/api/audit'],
  ])('from %s are read two at once for one workspace: %s', async (table, path) => {
    await holder.query('BEGIN');
    await holder.query(`LOCK TABLE ${table}`);

    const lists = Array.from({ length: 4 }, () => workspace.api.get(path));
    await until(async () => (await countWaiting()) === 2);
    const neighbours = neighbour.api.get(path);
    await until(async () => (await countWaiting()) > 2);

    expect(await countWaiting()).toBe(3);
    await holder.query('COMMIT');
    const answers = await Promise.all([...lists, neighbours]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
  });

  test('need no permit if an index finds their rows', async () => {
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE conversations');

    const lists = Array.from({ length: 4 }, () => workspace.api.get('/api/calls?outcome=a'));
    await until(async () => (await countWaiting()) === 4);

    await holder.query('COMMIT');
    expect((await Promise.all(lists)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  });
});

describe('A search', () => {
  const parley = useOwnParley();

  test('that takes longer than two seconds is ended, with Retry-After', async () => {
    const workspace = await parley.workspace();
    const id = await createKnowledgeBase(workspace);
    await indexed(workspace, id);
    const holder = new Client(parley.database.url);
    await holder.connect();
    await holder.query('BEGIN');
    await holder.query('LOCK TABLE knowledge_base_passages');

    const answer = await workspace.api.get(`/api/knowledge-base/${id}/search?query=open`);
    await holder.end();

    expect(answer.headers.get('retry-after')).toBe('1');
    expect(await outcome(Promise.resolve(answer))).toEqual(
      busy(
        'The request took too long',
        'The database ended its statement at the time limit. Nothing was changed.',
        'STATEMENT_TIMEOUT',
      ),
    );
    expect((await workspace.api.get(`/api/knowledge-base/${id}/search?query=open`)).body.data).toHaveLength(
      1,
    );
  });
});
