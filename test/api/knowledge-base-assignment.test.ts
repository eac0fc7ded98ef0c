import { createAgent, readAgent } from '../support/agents';
import {
  agentNotFound,
  invalid,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  serverFailed,
  succeeded,
  unauthorized,
  withoutTable,
} from '../support/answers';
import { AgentCalls } from '../support/calls';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { type TestWorkspace, useParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

const knowledgeBaseNotFound = refused(404, 'Knowledge base not found', {
  error_code: 'KNOWLEDGE_BASE_NOT_FOUND',
});

describe('Assigning a knowledge base', () => {
  const parley = useParley();

  const change =
    (what: 'assign' | 'unassign') =>
    (api: TestWorkspace['api'], id: string, ...agents: unknown[]) =>
      outcome(api.post(`/api/agents/knowledge-bases/${id}/${what}`, { assistant_ids: agents }));
  const assign = change('assign');
  const unassign = change('unassign');

  const assigned = (count: number, ...agents: string[]) =>
    succeeded('Knowledge base assigned', { assigned_assistant_ids: agents, assistants_with_kb_count: count });
  const unassigned = (...agents: string[]) => succeeded('Knowledge base unassigned', agents);

  /** An agent's knowledge bases and its version. */
  async function handed(workspace: TestWorkspace, agent: string): Promise<[string[], number]> {
    const { knowledgeBases, deployment } = (await readAgent(workspace, agent)) as {
      knowledgeBases: string[];
      deployment: { version: number };
    };
    return [knowledgeBases, deployment.version];
  }

  async function setUp() {
    const workspace = await parley.workspace();
    const [kb, other] = [await createKnowledgeBase(workspace), await createKnowledgeBase(workspace)];
    const [agent, second] = [await createAgent(workspace), await createAgent(workspace)];
    return { workspace, api: workspace.api, kb, other, agent, second };
  }

  test('gives it to agents, counts them and raises their versions', async () => {
    const { workspace, api, kb, other, agent, second } = await setUp();

    expect(await assign(api, kb, agent)).toEqual(assigned(1, agent));
    expect(await assign(api, kb, second)).toEqual(assigned(2, second));
    expect(await assign(api, other, second, agent)).toEqual(assigned(2, second, agent));

    expect(await handed(workspace, agent)).toEqual([[kb, other], 3]);
    expect(await handed(workspace, second)).toEqual([[kb, other], 3]);
  });

  test('again changes nothing', async () => {
    const { workspace, api, kb, agent, second } = await setUp();
    await assign(api, kb, agent);

    expect(await assign(api, kb, agent, agent, agent.toUpperCase(), second)).toEqual(
      assigned(2, agent, second),
    );

    expect(await handed(workspace, agent)).toEqual([[kb], 2]);
    expect(await handed(workspace, second)).toEqual([[kb], 2]);
  });

  test('is taken back, and taken back again changes nothing', async () => {
    const { workspace, api, kb, other, agent, second } = await setUp();
    await assign(api, kb, agent, second);
    await assign(api, other, agent);

    expect(await unassign(api, kb, agent, agent)).toEqual(unassigned(agent));
    expect(await unassign(api, kb, agent, second)).toEqual(unassigned(agent, second));

    expect(await handed(workspace, agent)).toEqual([[other], 4]);
    expect(await handed(workspace, second)).toEqual([[], 3]);
    expect(await assign(api, kb, second)).toEqual(assigned(1, second));
  });

  test.each([
    ['assign', assign],
    ['unassign', unassign],
  ])('finds everything or changes nothing: %s', async (_, send) => {
    const { workspace, api, kb, agent } = await setUp();
    const stranger = await setUp();
    const deleted = await createAgent(workspace);
    await api.delete(`/api/agents/${deleted}`);
    if (send === unassign) await assign(api, kb, agent);
    const before = await handed(workspace, agent);

    for (const missing of [UNKNOWN_ID, 'unknown', '', stranger.agent, deleted]) {
      expect(await send(api, kb, agent, missing)).toEqual(agentNotFound());
    }
    for (const missing of [UNKNOWN_ID, 'unknown', stranger.kb, '%20']) {
      expect(await send(api, missing, agent)).toEqual(knowledgeBaseNotFound);
    }

    expect(await handed(workspace, agent)).toEqual(before);
  });

  test.each(['assign', 'unassign'])(
    'refuses a value that is not a list of 1 to 100 ids: %s',
    async (what) => {
      const { api, kb, agent } = await setUp();
      const send = (body: object) => outcome(api.post(`/api/agents/knowledge-bases/${kb}/${what}`, body));

      for (const body of [
        {},
        { assistant_ids: [] },
        { assistant_ids: agent },
        { assistant_ids: null },
        { assistant_ids: {} },
      ]) {
        expect(await send(body)).toEqual(invalid('body.assistant_ids'));
      }
      expect(await send({ assistant_ids: Array.from({ length: 101 }, () => agent) })).toEqual(
        invalid('body.assistant_ids'),
      );
      expect((await send({ assistant_ids: Array.from({ length: 100 }, () => agent) })).status).toBe(200);
      expect(await send({ assistant_ids: [agent, 'a', 5, null, [agent], 'x'.repeat(101)] })).toEqual(
        invalid(
          'body.assistant_ids.2',
          'body.assistant_ids.3',
          'body.assistant_ids.4',
          'body.assistant_ids.5',
        ),
      );
      expect(await send({ assistant_ids: [agent], agents: [] })).toEqual(invalid('body.agents'));
      expect(await send({ assistant_ids: [agent], workspaceId: 'another' })).toEqual(
        invalid('body.workspaceId'),
      );
    },
  );

  test.each([
    ['assign', assign],
    ['unassign', unassign],
  ])('needs a credential without a scope, and may fail: %s', async (what, send) => {
    const { workspace, api, kb, agent } = await setUp();
    const path = `/api/agents/knowledge-bases/${kb}/${what}`;

    expect(await send(parley.scoped(workspace, `agent:${agent}`), kb, agent)).toEqual(outOfScope());
    expect(
      await outcomeForStrangers(parley, (stranger) => stranger.post(path, { assistant_ids: [agent] })),
    ).toEqual(unauthorized());
    expect(await withoutTable(parley, 'knowledge_base_assignments', () => send(api, kb, agent))).toEqual(
      serverFailed(),
    );
  });

  test('many times at once ends as one', async () => {
    const { workspace, api, kb, other, agent, second } = await setUp();

    const outcomes = await Promise.all([
      ...Array.from({ length: 5 }, () => assign(api, kb, agent, second)),
      ...Array.from({ length: 5 }, () => assign(api, other, second, agent)),
      ...Array.from({ length: 5 }, (_, n) =>
        outcome(api.put(`/api/agents/${agent}`, { type: 'outbound', popularity: n })),
      ),
    ]);

    expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200));
    const [knowledgeBases, version] = await handed(workspace, agent);
    expect(knowledgeBases.sort()).toEqual([kb, other].sort());
    expect(version).toBe(3);
  });

  test('and deleting it or an agent at once leaves nothing half done', async () => {
    const { workspace, api, kb, other, agent, second } = await setUp();

    const outcomes = await Promise.all([
      assign(api, kb, agent, second),
      assign(api, other, agent, second),
      outcome(api.put(`/api/agents/${second}`, { type: 'outbound', knowledgeBases: [other, kb] })),
      outcome(api.delete(`/api/knowledge-base/${kb}`)),
      outcome(api.delete(`/api/agents/${agent}`)),
    ]);

    for (const { status } of outcomes) expect([200, 404]).toContain(status);
    const rows = await parley.sql('SELECT FROM knowledge_base_assignments WHERE agent_id = $1', [agent]);
    expect(rows).toEqual([]);
    expect((await handed(workspace, second))[0]).not.toContain(kb);
  });

  describe('by writing an agent', () => {
    const put = (api: TestWorkspace['api'], agent: string, knowledgeBases: unknown) =>
      outcome(api.put(`/api/agents/${agent}`, { type: 'outbound', knowledgeBases }));

    test('replaces all, in the order given', async () => {
      const { workspace, api, kb, other, agent } = await setUp();

      for (const [knowledgeBases, version] of [
        [[other, kb], 2],
        [[other, kb], 2],
        [[kb, other, kb], 3],
        [[kb], 4],
        [[], 5],
        [[], 5],
      ] as const) {
        expect((await put(api, agent, knowledgeBases)).status).toBe(200);
        expect(await handed(workspace, agent)).toEqual([[...new Set(knowledgeBases)], version]);
      }
    });

    test('keeps them if the field is absent', async () => {
      const { workspace, api, kb, agent } = await setUp();
      await assign(api, kb, agent);

      await api.put(`/api/agents/${agent}`, { type: 'outbound', popularity: 5 });

      expect(await handed(workspace, agent)).toEqual([[kb], 2]);
    });

    test('works from the start', async () => {
      const { workspace, kb, other } = await setUp();

      const agent = await createAgent(workspace, { knowledgeBases: [other, kb] });

      expect(await handed(workspace, agent)).toEqual([[other, kb], 1]);
    });

    test('changes nothing when one of them is not found', async () => {
      const { workspace, api, kb, agent } = await setUp();
      const stranger = await setUp();
      await assign(api, kb, agent);

      for (const missing of [UNKNOWN_ID, 'unknown', stranger.kb]) {
        const body = { type: 'chat', name: 'Other', knowledgeBases: [kb, missing] };
        expect(await outcome(api.put(`/api/agents/${agent}`, body))).toEqual(knowledgeBaseNotFound);
        expect(await outcome(api.post('/api/agents', body))).toEqual(knowledgeBaseNotFound);
      }

      expect(await readAgent(workspace, agent)).toMatchObject({
        name: 'New outbound agent',
        knowledgeBases: [kb],
      });
      expect(await handed(workspace, agent)).toEqual([[kb], 2]);
      expect((await api.get('/api/agents?search=Other')).body.pagination.total).toBe(0);
    });
  });

  test('reaches the runtime with the call, as it was when the call was accepted', async () => {
    const { workspace, api, kb, other, agent } = await setUp();
    const worker = await TestWorker.start(parley);
    const calls = new AgentCalls(api, agent);
    await put(other, kb);

    const withBoth = await calls.start();
    await put();
    const withNone = await calls.start();

    const { start } = await worker.findOffer(withBoth);
    expect(start.knowledge_bases).toEqual([
      { kb_id: other, search: `/api/knowledge-base/${other}/search` },
      { kb_id: kb, search: `/api/knowledge-base/${kb}/search` },
    ]);
    expect(start.agent.knowledgeBases).toEqual([other, kb]);
    expect((await worker.findOffer(withNone)).start).toMatchObject({
      knowledge_bases: [],
      agent: { knowledgeBases: [] },
    });
    const path = start.knowledge_bases[0]?.search ?? '';
    expect((await workspace.api.get(`${path}?query=open`)).status).toBe(200);
    await worker.stop();

    function put(...knowledgeBases: string[]) {
      return api.put(`/api/agents/${agent}`, { type: 'outbound', knowledgeBases });
    }
  });
});
