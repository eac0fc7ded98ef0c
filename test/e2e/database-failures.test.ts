import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { createDatabase } from '../support/database';
import { TestParley } from '../support/parley';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const WAITING_FOR_A_LOCK = `
  SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;

describe('When the database is lost in the middle of accepting a call', () => {
  test('the answer does not say that the call was refused, since it may have been accepted', async () => {
    const database = await createDatabase();
    const proxy = await TcpProxy.to(database.url);
    const parley = await TestParley.start({ DATABASE_URL: proxy.url, CALL_TTL_SECONDS: '60' }, database);
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const other = new Client(database.url);
    await other.connect();
    await other.query('BEGIN');
    await other.query('SELECT FROM workspaces FOR UPDATE');

    const answering = workspace.api.post(`/api/agents/${calls.agentId}/calls`, { to_number: '+15551234567' });
    await until(async () => (await other.query(WAITING_FOR_A_LOCK)).rowCount);
    await proxy.cut();
    await proxy.restore();
    const { status, body } = await answering;
    await other.query('COMMIT');
    await other.end();

    expect({ status, body }).toEqual({
      status: 500,
      body: {
        status: 500,
        message: 'The call may not have been accepted',
        error: { details: expect.stringContaining('may still be placed within 60 s') },
      },
    });
    const [accepted] = await until(async () => {
      const list = await workspace.api.get(`/api/agents/${calls.agentId}/conversations`);
      const { conversations } = list.body.data;
      return conversations.length > 0 && conversations;
    });
    expect((await calls.conversation(accepted.conversation_id)).status).toBe('queued');
    await parley.stop();
    await proxy.cut();
  });
});
