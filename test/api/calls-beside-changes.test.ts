import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import type { ApiClient } from '../support/client';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { useParley } from '../support/parley';
import { newPhoneNumber } from '../support/phone-numbers';
import { until } from '../support/until';

interface Change {
  what: string;
  /** The table with a row of the agent that the change needs. */
  table: string;
  send: (api: ApiClient, agentId: string, knowledgeBaseId: string) => ReturnType<ApiClient['put']>;
}

const CHANGES: Change[] = [
  {
    what: 'its agent is updated',
    table: 'phone_numbers',
    send: (api, agentId) => api.put(`/api/agents/${agentId}`, { type: 'inbound' }),
  },
  {
    what: 'its agent is deleted',
    table: 'phone_numbers',
    send: (api, agentId) => api.delete(`/api/agents/${agentId}`),
  },
  {
    what: 'a knowledge base is unassigned from its agent',
    table: 'knowledge_base_assignments',
    send: (api, agentId, knowledgeBaseId) =>
      api.post(`/api/agents/knowledge-bases/${knowledgeBaseId}/unassign`, { assistant_ids: [agentId] }),
  },
];

describe('A call', () => {
  const parley = useParley();

  test.each(CHANGES)('is started while $what', async ({ table, send }) => {
    const workspace = await parley.workspace();
    const knowledgeBaseId = await createKnowledgeBase(workspace);
    const calls = new AgentCalls(
      workspace.api,
      await createAgent(workspace, { knowledgeBases: [knowledgeBaseId] }),
    );
    const phone_number = newPhoneNumber();
    await workspace.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number });
    const client = new Client(parley.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query(`SELECT FROM ${table} WHERE agent_id = $1 FOR UPDATE`, [calls.agentId]);
    const changing = send(workspace.api, calls.agentId, knowledgeBaseId);
    const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await client.query(waiting)).rowCount);

    const id = await calls.start();

    expect(await calls.conversation(id)).toMatchObject({ status: 'queued' });
    await client.end();
    expect((await changing).status).toBe(200);
  });
});
