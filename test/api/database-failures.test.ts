import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { createDatabase } from '../support/database';
import { TestParley } from '../support/parley';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

/** The process ids of the sessions that wait for a lock. The client may be in a transaction. */
async function listLockWaits(client: Client): Promise<number[]> {
  // A transaction would otherwise see the snapshot of its first query.
  await client.query('SELECT pg_stat_clear_snapshot()');
  const { rows } = await client.query<{ pid: number }>(
    `SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
  );
  return rows.map(({ pid }) => pid);
}

describe('When no connection to the database is free for accepting a call', () => {
  test('the answer does not say that the call may be placed, because nothing was sent', async () => {
    const parley = await TestParley.start({ DATABASE_POOL_SIZE: '2', ROLES: 'http' });
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const other = new Client(parley.database.url);
    await other.connect();
    await other.query('SELECT pg_advisory_lock(1)');
    await other.query('BEGIN');
    await other.query('LOCK TABLE api_keys');
    const takeConnection = () =>
      parley.sqlOfServer(`SELECT set_config('lock_timeout', '0', false), pg_advisory_xact_lock(1)`);

    const first = takeConnection();
    const answering = workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
    await until(async () => (await listLockWaits(other)).length === 2);
    // This gets the connection of the authentication before the call gets one.
    const second = takeConnection();
    await other.query('COMMIT');
    const answer = await outcome(answering);
    await other.end();
    await Promise.all([first, second]);

    expect(answer).toEqual(
      refused(503, 'The server is busy', {
        error: { details: 'No database connection became free in time.' },
        error_code: 'DATABASE_BUSY',
      }),
    );
    expect((await workspace.api.get(`/api/agents/${agentId}/conversations`)).body.pagination.total).toBe(0);
    await parley.stop();
  });
});

describe('When the database is lost in the middle of accepting a call', () => {
  test('the answer does not say that the call was refused, because it may have been accepted', async () => {
    const database = await createDatabase();
    const proxy = await TcpProxy.to(database.url);
    const parley = await TestParley.start({ DATABASE_URL: proxy.url, CALL_TTL_SECONDS: '60' }, database);
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const other = new Client(database.url);
    await other.connect();
    // Postgres checks once per second whether the client of a waiting statement is connected. If it does so before the lock
    // is free, the call is not accepted, and the answer is the same.
    const { conversation_id } = await until(async () => {
      await other.query('BEGIN');
      await other.query('SELECT FROM workspaces FOR UPDATE');
      const answering = workspace.api.post(`/api/agents/${calls.agentId}/calls`, {
        to_number: '+15551234567',
      });
      const [pid] = await until(async () => {
        const waiting = await listLockWaits(other);
        return waiting.length > 0 && waiting;
      });
      await proxy.cut();
      await other.query('COMMIT');
      await proxy.restore();
      const { status, body } = await answering;

      expect({ status, body }).toEqual({
        status: 500,
        body: {
          status: 500,
          message: 'The call may not have been accepted',
          error_code: 'OUTCOME_UNKNOWN',
          error: { details: expect.stringContaining('may still be placed within 60 s') },
        },
      });
      const findSession = () => other.query('SELECT FROM pg_stat_activity WHERE pid = $1', [pid]);
      await until(async () => (await findSession()).rowCount === 0);
      const list = await workspace.api.get(`/api/agents/${calls.agentId}/conversations`);
      return list.body.data.conversations[0] as { conversation_id: string } | undefined;
    });
    expect((await calls.conversation(conversation_id)).status).toBe('queued');
    await other.end();
    await parley.stop();
    await proxy.cut();
  });
});
