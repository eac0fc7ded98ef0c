import { randomUUID } from 'node:crypto';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { agentNotFound, invalid, invalidWith, outcome, outOfScope, refused } from '../support/answers';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { DINNER, FACTS } from '../support/rehearsed';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const GREETING = { type: 'outbound', greeting: 'Good day.' };
const CALL = { to_number: '+15551234567' };
const NOTHING_BOOKED = { ...FACTS, turns: FACTS.turns.filter(({ speaker }) => speaker !== 'tool') };

describe('The newest version of an agent', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });
  let runtime: TestWorker;
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let path: string;
  let agentId: string;

  beforeAll(async () => {
    runtime = await TestWorker.start(parley, { queue: parley.topology.rehearsalsQueue });
    worker = await TestWorker.start(parley);
  });

  afterAll(() => Promise.all([runtime.stop(), worker.stop()]));

  beforeEach(async () => {
    workspace = await parley.workspace();
  });

  const use = async (id: string) => {
    agentId = id;
    path = `/api/agents/${agentId}`;
    return Promise.resolve();
  };
  const createGated = async (fields: object = {}) => {
    await workspace.api.put('/api/workspace/publishing', { publish: 'gated' });
    await use(await createAgent(workspace, fields));
  };
  const createRehearsed = async () => {
    await createGated();
    await workspace.api.post(`${path}/rehearsals`, DINNER);
  };
  const change = (fields: object = {}) => workspace.api.put(path, { ...GREETING, ...fields });
  const deployment = async () => (await workspace.api.get(`${path}/deployment`)).body.data;
  const read = async () => (await workspace.api.get(path)).body.data[0];
  const settled = () =>
    until(async () => {
      const shown = await deployment();
      return shown.status === 'deploying' ? undefined : shown;
    });
  /** Plays what is rehearsed next. */
  const play = async (facts: object = FACTS) => {
    const call = await (await runtime.offerTo(agentId)).take();
    await call.report(MESSAGE_TYPES.rehearsed, { facts });
    await call.ended();
  };
  const call = async (body: object = CALL) => {
    const started = await workspace.api.post(`/api/agents/${agentId}/calls`, body);
    expect(started.status).toBe(200);
    const offer = await worker.offerTo(agentId);
    offer.settle();
    const { start } = offer;
    return { version: start.agent_version, greeting: start.agent.greeting, channel: start.channel };
  };
  const audited = async (...actions: string[]) => {
    const entries = (await workspace.api.get('/api/audit?limit=100')).body.data as {
      action: string;
      details: object;
    }[];
    return entries
      .filter(({ action }) => actions.includes(action))
      .map(({ action, details }) => ({ action, details }));
  };

  test('is for calls at once unless the agent is gated', async () => {
    await use(await createAgent(workspace));
    expect(await deployment()).toEqual({
      ...{ publish: 'automatic', publish_own: null, status: 'active', version: 1, active_version: 1 },
      ...{ deployed_at: expect.any(String), error: null, run_id: null },
    });

    await change();

    expect(await deployment()).toMatchObject({
      status: 'active',
      version: 2,
      active_version: 2,
      run_id: null,
    });
    expect(await call()).toMatchObject({ version: 2, greeting: 'Good day.' });
  });

  test('of a gated agent is for calls once its rehearsals have passed', async () => {
    await createRehearsed();
    const first = await deployment();
    expect(first).toMatchObject({ publish: 'gated', status: 'active', active_version: 1, run_id: null });

    await change();

    const deploying = await until(async () => {
      const shown = await deployment();
      return shown.run_id && shown;
    });
    expect(deploying).toMatchObject({ status: 'deploying', version: 2, active_version: 1 });
    expect((await read()).deployment).toMatchObject({
      ...{ status: 'deploying', version: 2, deployedAt: first.deployed_at },
    });
    expect(await call()).toMatchObject({ version: 1 });
    const run = (await workspace.api.get(`/api/rehearsal-runs?cause=publish`)).body.data;
    expect(run).toMatchObject([{ run_id: deploying.run_id, cause: 'publish', version: 2 }]);

    await play();

    const active = await settled();
    expect(active).toMatchObject({ status: 'active', version: 2, active_version: 2, error: null });
    expect(Date.parse(active.deployed_at)).toBeGreaterThan(Date.parse(first.deployed_at));
    expect(await call()).toMatchObject({ version: 2, greeting: 'Good day.' });
    expect(await audited('agent.published')).toEqual([
      { action: 'agent.published', details: { version: 2, run_id: deploying.run_id } },
      { action: 'agent.published', details: { version: 1 } },
    ]);
  });

  test('of a gated agent is rehearsed with as many tokens as the day has', async () => {
    await createGated();
    // One more than are played at once, so the last one begins when the first one has taken its tokens.
    const names = Array.from({ length: 9 }, (_, index) => `dinner-${index}`);
    for (const name of names) await workspace.api.post(`${path}/rehearsals`, { ...DINNER, name });
    await change();
    await play({ ...FACTS, figures: { ...FACTS.figures, tokens: 600_000 } });
    for (let count = 1; count < names.length; count += 1) await play();

    expect(await settled()).toMatchObject({ status: 'active', active_version: 2, error: null });
  });

  test('of a gated agent that fails says why, and calls go on with the version before', async () => {
    await createRehearsed();
    await workspace.api.post(`${path}/rehearsals`, { ...DINNER, name: 'table-for-three' });
    await change();
    await play(NOTHING_BOOKED);
    await play(NOTHING_BOOKED);

    const failed = await settled();
    expect(failed).toMatchObject({
      ...{ status: 'failed', version: 2, active_version: 1 },
      error: expect.stringMatching(/^table-for-t(wo|hree): tool: .*book_table.* \(and 1 more\)$/),
    });
    expect((await read()).deployment).toMatchObject({ status: 'failed', error: failed.error });
    expect(await call()).toMatchObject({ version: 1 });
    expect(await audited('agent.publish_failed')).toEqual([
      { action: 'agent.publish_failed', details: { version: 2, run_id: failed.run_id } },
    ]);

    await workspace.api.post(`${path}/deployment/publish`, {});
    await play();
    await play();

    expect(await settled()).toMatchObject({ status: 'active', active_version: 2, error: null });
  });

  test('of a gated agent fails if its run is cancelled, and a newer version cancels the run of an older one', async () => {
    await createRehearsed();
    await change();
    const first = await until(async () => (await deployment()).run_id as string | null);

    await change({ greeting: 'Hello.' });

    const second = await until(async () => {
      const { run_id } = await deployment();
      return run_id !== first && (run_id as string | null);
    });
    expect((await workspace.api.get(`/api/rehearsal-runs/${first}`)).body.data).toMatchObject({
      status: 'cancelled',
    });
    await workspace.api.post(`/api/rehearsal-runs/${second}/cancel`);
    expect(await settled()).toMatchObject({
      ...{ status: 'failed', version: 3, active_version: 1, error: 'table-for-two: CANCELLED' },
    });
  });

  test('of a gated agent stays a draft if a client says so, until it is published', async () => {
    await createGated();
    await change({ deployment: { status: 'draft' } });
    expect(await deployment()).toMatchObject({ status: 'draft', version: 2, active_version: 1 });
    expect(await call()).toMatchObject({ version: 1 });

    // A client sends back what it has read.
    await workspace.api.put(path, { ...(await read()), description: 'Rings.' });
    expect(await deployment()).toMatchObject({ status: 'draft', version: 2 });

    await workspace.api.put(path, { type: 'outbound', deployment: { status: 'active' } });
    expect(await deployment()).toMatchObject({ status: 'active', version: 2, active_version: 2 });
  });

  test('of a new agent that is a draft makes no call, but a web call that names it', async () => {
    await createGated({ deployment: { status: 'draft' } });
    expect(await deployment()).toMatchObject({ status: 'draft', active_version: null, deployed_at: null });
    const start = (body: object) => outcome(workspace.api.post(`/api/agents/${agentId}/calls`, body));

    const notPublished = invalidWith('AGENT_NOT_PUBLISHED', 'params.agent_id');
    expect(await start(CALL)).toEqual(notPublished);
    expect(await start({ call_type: 'webcall' })).toEqual(notPublished);
    expect(await start({ ...CALL, agent_version: 1 })).toEqual(invalid('body.agent_version'));
    expect(await start({ call_type: 'webcall', agent_version: 2 })).toEqual(
      refused(404, 'Agent version not found', { error_code: 'AGENT_VERSION_NOT_FOUND' }),
    );
    const scoped = parley.scoped(workspace, `agent:${agentId}`);
    expect(
      await outcome(scoped.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall', agent_version: 1 })),
    ).toEqual(outOfScope());
    expect(await call({ call_type: 'webcall', agent_version: 1 })).toMatchObject({ version: 1 });
    expect(
      await outcome(
        workspace.api.post(`${path}/rehearsal-runs`, { rehearsals: [DINNER], against: 'active' }),
      ),
    ).toMatchObject({ status: 400, body: { error_code: 'AGENT_NOT_PUBLISHED' } });

    expect(await outcome(workspace.api.post(`${path}/deployment/publish`, { force: true }))).toEqual(
      invalid('body.reason'),
    );
    const forced = await workspace.api.post(`${path}/deployment/publish`, { force: true, reason: 'A fair.' });
    expect(forced.body.data).toMatchObject({ status: 'active', active_version: 1 });
    expect(await audited('agent.forced')).toEqual([
      { action: 'agent.forced', details: { version: 1, reason: 'A fair.' } },
    ]);
    expect(await call()).toMatchObject({ version: 1 });
  });

  test('decides on the channel of calls only once it is published', async () => {
    await createGated({ type: 'chat' });
    await change({ type: 'outbound', deployment: { status: 'draft' } });
    expect(await call({ call_type: 'webcall' })).toMatchObject({ version: 1, channel: 'chat' });

    expect(await call({ call_type: 'webcall', agent_version: 2 })).toMatchObject({ channel: 'voice' });

    await workspace.api.post(`${path}/deployment/publish`, {});

    expect(await call({ call_type: 'webcall' })).toMatchObject({ version: 2, channel: 'voice' });
  });

  test('is rolled back to the version that calls used before, without rehearsals', async () => {
    await createRehearsed();
    const rollBack = () => workspace.api.post(`${path}/deployment/rollback`);
    expect(await outcome(rollBack())).toEqual(
      refused(409, 'Calls have used no other version of the agent', { error_code: 'NOTHING_TO_ROLL_BACK' }),
    );
    await change();
    await play();
    await settled();
    await change({ greeting: 'Hello.' });

    const rolledBack = await rollBack();

    expect(rolledBack.body.data).toMatchObject({ version: 4, restored_from: 1, missing_knowledge_bases: [] });
    expect(await deployment()).toMatchObject({ status: 'active', version: 4, active_version: 4 });
    expect(await call()).toMatchObject({ version: 4, greeting: (await read()).greeting });
    expect((await rollBack()).body.data).toMatchObject({ version: 5, restored_from: 2 });
    expect(await call()).toMatchObject({ version: 5, greeting: 'Good day.' });
    expect(await audited('agent.rolled_back')).toHaveLength(2);
  });

  test('of an automatic agent is rolled back, too', async () => {
    await use(await createAgent(workspace, { greeting: 'Hi.' }));
    await change();

    expect((await workspace.api.post(`${path}/deployment/rollback`)).body.data).toMatchObject({
      restored_from: 1,
    });
    expect(await call()).toMatchObject({ version: 3, greeting: 'Hi.' });
  });

  test('goes active when the agent becomes automatic, by its own setting or that of the workspace', async () => {
    await createRehearsed();
    await change();
    await until(async () => (await deployment()).run_id as string | null);
    const set = (body: object) => workspace.api.patch(`${path}/deployment`, body);

    expect((await set({ publish: 'automatic' })).body.data).toMatchObject({
      ...{ publish: 'automatic', publish_own: 'automatic', status: 'active', version: 2, active_version: 2 },
      run_id: null,
    });
    expect((await workspace.api.get('/api/rehearsal-runs')).body.data).toMatchObject([
      { status: 'cancelled' },
    ]);
    expect((await set({ publish: null })).body.data).toMatchObject({ publish: 'gated', active_version: 2 });
    expect((await set({ publish: 'gated' })).body.data).toMatchObject({ publish_own: 'gated' });

    await workspace.api.put('/api/workspace/publishing', { publish: 'automatic' });
    expect(await deployment()).toMatchObject({ publish: 'gated', publish_own: 'gated' });
    expect((await set({ publish: null })).body.data).toMatchObject({
      publish: 'automatic',
      publish_own: null,
    });
    expect((await workspace.api.get('/api/workspace/publishing')).body.data).toEqual({
      publish: 'automatic',
    });
    expect(await audited('agent.updated', 'workspace.publishing_set')).toMatchObject([
      { details: { changed: ['publish'], publish: null } },
      { action: 'workspace.publishing_set', details: { publish: 'automatic', agents: 0 } },
      { details: { publish: 'gated' } },
      { details: { publish: null } },
      { details: { publish: 'automatic' } },
      { action: 'agent.updated' },
      { action: 'workspace.publishing_set', details: { publish: 'gated' } },
    ]);
  });

  test('of agents that name a tool is rehearsed when the tool changes', async () => {
    const tool = { name: 'book_table', description: 'Books.', url: 'https://shop.example.com/bookings' };
    const { body } = await workspace.api.post('/api/tools', tool);
    await createGated({ actions: ['book_table'] });
    await workspace.api.post(`${path}/rehearsals`, DINNER);

    await workspace.api.put(`/api/tools/${body.data.tool_id}`, { ...tool, description: 'Books a table.' });

    expect(await deployment()).toMatchObject({ status: 'deploying', version: 2, active_version: 1 });
    await play();
    expect(await settled()).toMatchObject({ status: 'active', active_version: 2 });

    await change({ actions: ['book_table'], deployment: { status: 'draft' } });
    await workspace.api.put(`/api/tools/${body.data.tool_id}`, tool);
    expect(await deployment()).toMatchObject({ status: 'draft', version: 4, active_version: 2 });
  });

  test('that calls have not used is not rolled back to when the agent has become automatic', async () => {
    await createGated({ greeting: 'First.' });
    await change({ deployment: { status: 'draft' } });
    await change({ greeting: 'Third.' });
    await workspace.api.put('/api/workspace/publishing', { publish: 'automatic' });

    expect((await workspace.api.post(`${path}/deployment/rollback`)).body.data).toMatchObject({
      restored_from: 1,
    });
    expect(await call()).toMatchObject({ version: 4, greeting: 'First.' });
  });

  test('that a server of the last release has made is a draft until it is published', async () => {
    await createGated();
    await parley.sql(
      `WITH raised AS (UPDATE agents SET deployment_version = 2 WHERE id = $1 RETURNING *)
       INSERT INTO agent_versions (agent_id, version, workspace_id, snapshot, tools)
       SELECT agent_id, 2, workspace_id, snapshot, tools FROM agent_versions WHERE agent_id = $1`,
      [agentId],
    );
    expect(await deployment()).toMatchObject({ status: 'draft', version: 2, active_version: 1 });
    expect((await read()).deployment.status).toBe('draft');

    await workspace.api.post(`${path}/deployment/publish`, {});

    expect(await deployment()).toMatchObject({ status: 'active', active_version: 2 });
  });

  test('is rehearsed with the rehearsals that are applied with it', async () => {
    const { name, ...definition } = DINNER;
    const resources = [
      {
        ...{ kind: 'agent', slug: 'desk', base: null },
        definition: { type: 'outbound', name: 'Desk', publish: 'gated' },
      },
      { kind: 'rehearsal', slug: `desk/${name}`, base: null, definition },
    ];
    expect((await workspace.api.post('/api/code', { resources })).status).toBe(200);
    const listed = (await workspace.api.get('/api/code?kind=agent')).body.data;
    expect(listed).toMatchObject([{ definition: { publish: 'gated' } }]);
    await use(listed[0].id);

    expect(await deployment()).toMatchObject({
      publish_own: 'gated',
      status: 'deploying',
      active_version: null,
    });
    await play();
    expect(await settled()).toMatchObject({ status: 'active', active_version: 1 });

    const automatic = { kind: 'agent', slug: 'desk', base: listed[0].revision };
    const change = { ...automatic, definition: { type: 'outbound', name: 'Desk' } };
    const applied = await workspace.api.post('/api/code', { resources: [change] });
    expect(applied.body.data.changes).toMatchObject([{ action: 'update', fields: ['publish'] }]);
    expect(await deployment()).toMatchObject({ publish: 'automatic', publish_own: null, version: 1 });
    expect(await audited('agent.updated')).toEqual([
      { action: 'agent.updated', details: { changed: ['publish'], publish: null } },
    ]);
  });

  test('goes on when the process that deployed it was killed, or its run was deleted', async () => {
    await createRehearsed();
    await parley.sql(
      `UPDATE agents SET deployment_status = 'deploying', active_version = NULL WHERE id = $1`,
      [agentId],
    );
    const first = await until(async () => (await deployment()).run_id as string | null);
    (await runtime.offerTo(agentId)).settle();
    await parley.sql(`DELETE FROM rehearsal_runs WHERE id = $1`, [first]);
    await until(async () => ![null, first].includes((await deployment()).run_id));

    await play();

    expect(await settled()).toMatchObject({ status: 'active', active_version: 1 });
  });

  test('keeps a campaign waiting until it is published', async () => {
    await createGated({ deployment: { status: 'draft' } });
    const id = await createCampaign(workspace.api, agentId, recipientsFile(1));
    await campaignReached(workspace.api, id, ({ waiting }) => waiting?.reason === 'agent_off');

    await workspace.api.post(`${path}/deployment/publish`, {});

    expect((await worker.offerTo(agentId)).start).toMatchObject({ campaign_id: id, agent_version: 1 });
  });

  test('is no concern of another workspace', async () => {
    await createRehearsed();
    const { api } = await parley.workspace();
    for (const request of [
      api.get(`${path}/deployment`),
      api.patch(`${path}/deployment`, { publish: 'automatic' }),
      api.post(`${path}/deployment/publish`, {}),
      api.post(`${path}/deployment/rollback`),
      api.get(`/api/agents/${randomUUID()}/deployment`),
    ])
      expect(await outcome(request)).toEqual(agentNotFound());
    expect((await api.get('/api/workspace/publishing')).body.data).toEqual({ publish: 'automatic' });
    expect(await deployment()).toMatchObject({ publish: 'gated', version: 1 });
  });
});
