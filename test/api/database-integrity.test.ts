import {
  CONVERSATION_STATUSES,
  DISCONNECT_REASONS,
  PARTIES,
} from '../../src/features/calls/model/call-states';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { createCampaign, recipientsFile } from '../support/campaigns';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { type TestWorkspace, useParley } from '../support/parley';

describe('The database', () => {
  const parley = useParley();
  let numbers = 0;

  /** An agent with everything that can refer to an agent. */
  async function withAgent() {
    const workspace = await parley.workspace();
    const knowledgeBase = await createKnowledgeBase(workspace);
    const agent = await createAgent(workspace, { knowledgeBases: [knowledgeBase] });
    return { workspace, agent };
  }

  const REFERENCES = [
    {
      table: 'conversations',
      constraint: 'conversations_agent_id_agent_version_workspace_id_fkey',
      refer: ({ api }: TestWorkspace, agent: string) => new AgentCalls(api, agent).start(),
    },
    {
      table: 'campaigns',
      constraint: 'campaigns_agent_id_workspace_id_fkey',
      refer: ({ api }: TestWorkspace, agent: string) =>
        createCampaign(api, agent, recipientsFile(1), { scheduleTime: '2999-01-01T00:00:00Z' }),
    },
    {
      table: 'phone_numbers',
      constraint: 'phone_numbers_agent_id_workspace_id_fkey',
      refer: ({ api }: TestWorkspace, agent: string) =>
        api.put(`/api/agents/${agent}/phone-number`, { phone_number: `+1555004000${++numbers}` }),
    },
  ];

  test.each(REFERENCES)(
    'keeps $table when their agent is deleted by hand',
    async ({ table, constraint, refer }) => {
      const { workspace, agent } = await withAgent();
      await refer(workspace, agent);

      await expect(parley.sql('DELETE FROM agents WHERE id = $1', [agent])).rejects.toThrow(
        `violates foreign key constraint "${constraint}"`,
      );

      expect(await parley.sql(`SELECT FROM ${table} WHERE agent_id = $1`, [agent])).toHaveLength(1);
    },
  );

  test.each(REFERENCES)(
    'refuses $table of one workspace with an agent of another one',
    async ({ table, constraint, refer }) => {
      const { workspace, agent } = await withAgent();
      await refer(workspace, agent);
      const theirs = await createAgent(await parley.workspace());

      await expect(
        parley.sql(`UPDATE ${table} SET agent_id = $2 WHERE agent_id = $1`, [agent, theirs]),
      ).rejects.toThrow(`"${constraint}"`);
    },
  );

  test('deletes the assignments of knowledge bases with their agent', async () => {
    const { agent } = await withAgent();

    await parley.sql('DELETE FROM agents WHERE id = $1', [agent]);

    expect(
      await parley.sql('SELECT FROM knowledge_base_assignments WHERE agent_id = $1', [agent]),
    ).toHaveLength(0);
  });

  test('deletes a workspace with everything that belongs to it', async () => {
    const { workspace, agent } = await withAgent();
    for (const { refer } of REFERENCES) await refer(workspace, agent);

    await parley.sql('DELETE FROM workspaces WHERE id = $1', [workspace.workspaceId]);

    for (const table of ['agents', ...REFERENCES.map((reference) => reference.table)]) {
      expect(
        await parley.sql(`SELECT FROM ${table} WHERE workspace_id = $1`, [workspace.workspaceId]),
      ).toEqual([]);
    }
  });

  describe('accepts for a call', () => {
    let calls: AgentCalls;

    beforeAll(async () => {
      const workspace = await parley.workspace();
      calls = new AgentCalls(workspace.api, await createAgent(workspace));
    });

    /** Updates a call that has begun, and returns 'accepted' or the error of the database. */
    async function written(columns: Record<string, string>): Promise<string> {
      const id = await calls.start();
      const set = Object.entries(columns).map(([column, value]) => `${column} = ${value}`);
      const attempt = parley.sql(`UPDATE conversations SET ${set.join()} WHERE id = $1`, [id]);
      return attempt.then(
        () => 'accepted',
        (error: Error) => error.message,
      );
    }
    const quoted = (text: string) => `'${text}'`;
    const refusedBy = (check: string) => expect.stringContaining(`violates check constraint "${check}"`);
    const ended = {
      status: `'failed'`,
      ended_at: 'now()',
      disconnect_reason: `'error'`,
      disconnected_by: `'system'`,
    };

    test('every reason and party of the code, and no others', async () => {
      for (const reason of DISCONNECT_REASONS) {
        expect(await written({ ...ended, disconnect_reason: quoted(reason) })).toBe('accepted');
      }
      for (const party of PARTIES) {
        expect(await written({ ...ended, disconnected_by: quoted(party) })).toBe('accepted');
      }
      expect(await written({ ...ended, disconnect_reason: `'boredom'` })).toEqual(
        refusedBy('conversations_disconnect_reason_known'),
      );
      expect(await written({ ...ended, disconnected_by: `'nobody'` })).toEqual(
        refusedBy('conversations_disconnected_by_known'),
      );
    });

    test('only known types and directions', async () => {
      expect(await written({ call_type: `'fax'` })).toEqual(refusedBy('conversations_call_type_known'));
      expect(await written({ direction: `'sideways'` })).toEqual(refusedBy('conversations_direction_known'));
    });

    test('the time of its end in the statuses of ended calls, and only in those', async () => {
      for (const status of CONVERSATION_STATUSES) {
        const isOver = ['disconnected', 'failed'].includes(status);
        const columns = { status: quoted(status), token: 'gen_random_uuid()' };
        const refused = refusedBy('conversations_over_has_end');
        expect(await written(columns)).toEqual(isOver ? refused : 'accepted');
        expect(await written({ ...ended, ...columns })).toEqual(isOver ? 'accepted' : refused);
      }
    });
  });
});
