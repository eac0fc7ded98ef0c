import { createAgent, readAgent } from '../support/agents';
import { outcome, refused } from '../support/answers';
import { withKey } from '../support/keyed-requests';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { useParley } from '../support/parley';

interface Version {
  version: number;
  snapshot: Record<string, unknown>;
}

const versionNotFound = refused(404, 'Agent version not found', { error_code: 'AGENT_VERSION_NOT_FOUND' });

describe('The versions of an agent', () => {
  const parley = useParley();

  const readVersions = (agentId: string) =>
    parley.sql<Version>('SELECT version, snapshot FROM agent_versions WHERE agent_id = $1 ORDER BY version', [
      agentId,
    ]);

  test('stay when the agent is deleted, but none can be restored', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { greeting: 'Hello' });
    await workspace.api.delete(`/api/agents/${agentId}`);

    const path = `/api/agents/${agentId}/versions`;
    expect((await workspace.api.get(path)).body.data).toMatchObject([{ version: 1 }]);
    expect((await workspace.api.get(`${path}/1`)).body.data.agent_config).toMatchObject({
      greeting: 'Hello',
    });
    expect(await outcome(workspace.api.get(`${path}/2`))).toEqual(versionNotFound);
    expect((await workspace.api.post(`${path}/1/restore`, {})).status).toBe(404);
    const stranger = await parley.workspace();
    expect((await stranger.api.get(path)).status).toBe(404);
  });

  test('are stored with each change that matters to calls, and never change', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { greeting: 'Hello' });
    const knowledgeBase = await createKnowledgeBase(workspace);
    const update = (fields: object) =>
      workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', ...fields });

    await update({ greeting: 'Good day' });
    await update({ description: 'Shown to people only' });
    await update({ knowledgeBases: [knowledgeBase] });
    await update({ deployment: { version: 9 } });

    const shared = { name: 'New outbound agent', type: 'outbound' };
    expect(await readVersions(agentId)).toMatchObject([
      { version: 1, snapshot: { ...shared, greeting: 'Hello', knowledgeBases: [] } },
      { version: 2, snapshot: { ...shared, greeting: 'Good day', knowledgeBases: [] } },
      { version: 3, snapshot: { ...shared, greeting: 'Good day', knowledgeBases: [knowledgeBase] } },
      { version: 9, snapshot: { ...shared, greeting: 'Good day', knowledgeBases: [knowledgeBase] } },
    ]);
    expect((await readVersions(agentId))[0]?.snapshot).not.toHaveProperty('description');
  });

  test('follow the knowledge bases that are assigned, taken back and deleted', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const [kept, deleted] = [await createKnowledgeBase(workspace), await createKnowledgeBase(workspace)];
    const assign = (id: string) =>
      workspace.api.post(`/api/agents/knowledge-bases/${id}/assign`, { assistant_ids: [agentId] });

    await assign(kept);
    await assign(deleted);
    await workspace.api.delete(`/api/knowledge-base/${deleted}`);

    expect(
      (await readVersions(agentId)).map(({ version, snapshot }) => [version, snapshot.knowledgeBases]),
    ).toEqual([
      [1, []],
      [2, [kept]],
      [3, [kept, deleted]],
      [4, [kept]],
    ]);
  });

  test('are listed newest first, with their author, their calls and their configuration', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace, { greeting: 'Hello' });
    const path = `/api/agents/${agentId}/versions`;
    await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' });
    await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', greeting: 'Good day' });

    const by = { kind: 'key', id: expect.any(String), name: expect.any(String) };
    const listed = (version: number, calls: number) => ({
      version,
      created_at: expect.any(String),
      created_by: by,
      restored_from: null,
      calls,
    });
    expect((await workspace.api.get(path)).body).toMatchObject({
      data: [listed(2, 0), listed(1, 1)],
      pagination: { total: 2 },
    });
    expect((await workspace.api.get(`${path}?limit=1&page=3`)).body).toMatchObject({
      data: [],
      pagination: { total: 2 },
    });
    expect((await workspace.api.get(`${path}/1`)).body.data).toEqual({
      ...listed(1, 1),
      agent_config: (await readVersions(agentId))[0]?.snapshot,
      tools: [],
      analysis: { fields: [], criteria: [] },
    });
    for (const version of ['3', '0', '-1', 'one', '99999999999']) {
      expect(await outcome(workspace.api.get(`${path}/${version}`))).toEqual(versionNotFound);
      expect(await outcome(workspace.api.post(`${path}/${version}/restore`))).toEqual(versionNotFound);
    }
  });

  test('can be restored, as a new version whose calls are like those of the old one', async () => {
    const workspace = await parley.workspace();
    const [kept, deleted] = [await createKnowledgeBase(workspace), await createKnowledgeBase(workspace)];
    const agentId = await createAgent(workspace, {
      greeting: 'Hello',
      description: 'First',
      llmConfig: { temperature: 0.1 },
      knowledgeBases: [kept, deleted],
    });
    await workspace.api.put(`/api/agents/${agentId}`, {
      type: 'inbound',
      name: 'Renamed',
      greeting: 'Good day',
      description: 'Second',
      llmConfig: { temperature: 0.9 },
      knowledgeBases: [],
    });
    await workspace.api.delete(`/api/knowledge-base/${deleted}`);

    const { status, body } = await workspace.api.post(`/api/agents/${agentId}/versions/1/restore`);

    expect([status, body.data]).toEqual([
      201,
      { agent_id: agentId, version: 3, restored_from: 1, missing_knowledge_bases: [deleted] },
    ]);
    expect(await readAgent(workspace, agentId)).toMatchObject({
      name: 'New outbound agent',
      type: 'outbound',
      greeting: 'Hello',
      description: 'Second',
      llmConfig: { temperature: 0.1 },
      knowledgeBases: [kept],
      deployment: { version: 3 },
    });
    const [first, , third] = await readVersions(agentId);
    expect(third?.snapshot).toEqual({ ...first?.snapshot, knowledgeBases: [kept] });
    const { data } = (await workspace.api.get(`/api/agents/${agentId}/versions/3`)).body;
    expect(data).toMatchObject({ restored_from: 1 });
  });

  test('that is restored twice with one Idempotency-Key becomes one new version', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const restore = (version: number) =>
      withKey(parley, workspace, 'once').post(`/api/agents/${agentId}/versions/${version}/restore`);

    const first = await restore(1);
    const repeated = await restore(1);
    expect([first.status, repeated.status]).toEqual([201, 201]);
    expect(repeated.body).toEqual(first.body);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    // Another version is another endpoint.
    expect((await restore(2)).body.data).toMatchObject({ version: 3, restored_from: 2 });
    const { body } = await workspace.api.get(`/api/agents/${agentId}/versions`);
    expect((body.data as { version: number }[]).map(({ version }) => version)).toEqual([3, 2, 1]);
  });

  test('that are restored at once each become a version of their own', async () => {
    const workspace = await parley.workspace();
    const agentId = await createAgent(workspace);
    const restore = () => outcome(workspace.api.post(`/api/agents/${agentId}/versions/1/restore`));

    const restored = await Promise.all(Array.from({ length: 5 }, restore));

    expect(restored.map(({ status }) => status)).toEqual([201, 201, 201, 201, 201]);
    expect((await readVersions(agentId)).map(({ version }) => version)).toEqual([1, 2, 3, 4, 5, 6]);
  });
});
