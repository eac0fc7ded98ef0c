import { createAgent } from '../support/agents';
import type { ApiClient } from '../support/client';
import { AgentCalls } from '../support/calls';
import { createCampaign, csv, postForm, recipientsFile } from '../support/campaigns';
import { OperatorProcess } from '../support/operator-process';
import { JWT_SECRET, type TestWorkspace, useOwnParley } from '../support/parley';
import { bearer, createToken } from '../support/tokens';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { TestWorker, WORKER_ID } from '../support/worker';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

describe('Who did something', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });
  const worker = useStarted(() => TestWorker.start(parley));
  let operator: OperatorProcess;
  let workspace: TestWorkspace;

  beforeAll(() => {
    operator = new OperatorProcess({ DATABASE_URL: parley.database.url, JWT_SECRET });
  });
  beforeEach(async () => {
    workspace = await parley.workspace();
  });
  afterAll(() => operator.finish());

  /** A browser with a session that began by a link. */
  async function createBrowser(...name: string[]): Promise<ApiClient> {
    const { url } = await operator.json('console', 'link', '--workspace', workspace.workspaceId, ...name);
    const answer = await parley.api.post('/api/session', { token: (url as string).split('#token=')[1] });
    expect(answer.status).toBe(201);
    const cookie = answer.headers.getSetCookie()[0]?.split(';')[0] as string;
    return parley.api.with({ 'sec-fetch-site': 'same-origin', 'x-parley-session': '1', cookie });
  }
  const ada = () => createBrowser('--name', ' Ada Lovelace ');
  const adaIs = { kind: 'session', id: expect.any(String) as string, name: 'Ada Lovelace' };

  const get = async (path: string, api = workspace.api): Promise<Shown> => (await api.get(path)).body.data;
  const entry = async (id: string, kind: string): Promise<Shown> =>
    (await get(`/api/calls/${id}/timeline`)).find((each: Shown) => each.kind === kind);

  test('is the name of the link that a session began with, in the session, its list and the audit', async () => {
    const browser = await ada();

    expect(await get('/api/session', browser)).toMatchObject({ user: { name: 'Ada Lovelace' } });
    expect(await get('/api/sessions')).toMatchObject([
      { user: { name: 'Ada Lovelace' }, credential: 'link' },
    ]);
    expect(await get('/api/audit?limit=2')).toMatchObject([
      { action: 'session.started', actor: adaIs },
      { action: 'session.link_created', target: { name: 'Ada Lovelace' } },
    ]);
  });

  test('is said to have no name for a link without one', async () => {
    const agentId = await createAgent({ api: await createBrowser() });

    const name = 'Unnamed console link';
    const by = { kind: 'session', name };
    expect(await get(`/api/agents/${agentId}/versions`)).toMatchObject([{ created_by: by }]);
    expect(await get('/api/audit?limit=1')).toMatchObject([{ actor: by }]);
  });

  test.each(['', '   ', 'x'.repeat(101)])('is refused as the name of a link: "%s"', async (name) => {
    const args = ['console', 'link', '--workspace', workspace.workspaceId, '--name', name];

    const { code, stderr } = await operator.run(args);

    expect({ code, stderr: stderr.split('\n')[0] }).toEqual({
      code: 2,
      stderr: '--name must have 1 to 100 characters.',
    });
  });

  test('is in the timeline of a call that a person started and hung up in the console', async () => {
    const browser = await ada();
    const agentId = await createAgent(workspace, { name: 'Desk' });
    const calls = new AgentCalls(browser, agentId);
    const queued = await calls.start();
    await browser.post(`/api/calls/${queued}/hangup`);
    const held = await calls.start();
    const call = await (await worker.findOffer(held)).take();
    await browser.post(`/api/agents/${agentId}/conversations/${held}/hangup`, {});
    // Another actor followed later.
    await workspace.api.post(`/api/calls/${held}/hangup`);
    await call.ended({ disconnect_reason: 'cancelled', disconnected_by: 'system' });

    expect(await entry(queued, 'accepted')).toMatchObject({
      source: 'api',
      text: expect.stringMatching(
        /^Ada Lovelace started a call to \+15551234567 from the console through the agent “Desk”, version 1\.$/,
      ) as string,
      data: { actor: adaIs },
    });
    expect(await entry(queued, 'failed')).toMatchObject({
      source: 'api',
      text: 'Ada Lovelace hung up from the console, and the call was cancelled before a runtime claimed it.',
    });
    expect(await entry(held, 'hangup_requested')).toMatchObject({
      source: 'api',
      text: `Ada Lovelace hung up from the console, and the runtime “${WORKER_ID}” was asked to end the call.`,
      data: { actor: adaIs },
    });
  });

  test('is the name of an API key, and the subject of a token', async () => {
    const { data: key } = (await workspace.api.post('/api/auth/api-keys', { name: 'CRM' })).body;
    const agentId = await createAgent(workspace);
    const crm = parley.api.with({ 'x-api-key': key.apiKey as string });
    const token = bearer(parley, createToken({ ...workspace, userId: 'grace@example.com' }));

    const [byKey, byToken] = await Promise.all(
      [crm, token].map((api) => new AgentCalls(api, agentId).start()),
    );

    expect(await entry(byKey as string, 'accepted')).toMatchObject({
      text: expect.stringMatching(/^The API key “CRM” started a call to /) as string,
      data: { actor: { kind: 'key', id: key.keyId, name: 'CRM' } },
    });
    expect(await entry(byToken as string, 'accepted')).toMatchObject({
      text: expect.stringMatching(/^The user “grace@example\.com” started a call to /) as string,
      data: { actor: { kind: 'token', id: 'grace@example.com', name: 'grace@example.com' } },
    });
  });

  test('is cut where an identity provider has a very long subject', async () => {
    const agentId = await createAgent(workspace);
    const userId = 'ü'.repeat(300);
    const id = await new AgentCalls(bearer(parley, createToken({ ...workspace, userId })), agentId).start();

    expect((await entry(id, 'accepted')).data.actor).toEqual({
      kind: 'token',
      id: 'ü'.repeat(255),
      name: 'ü'.repeat(255),
    });
  });

  test('is shown with the versions of agents, keys, listed numbers and the log of a campaign', async () => {
    const browser = await ada();
    const agentId = await createAgent({ api: browser });
    await browser.post('/api/auth/api-keys', { name: 'Deployment' });
    await browser.post('/api/do-not-call', { phone_number: '+15552000101' });
    await postForm(browser, [['file', csv('phone_number\n+15552000102\n')]], '/api/do-not-call/import');
    const campaignId = await createCampaign(workspace.api, agentId, recipientsFile(1), {
      isScheduled: 'true',
      scheduleTime: '2099-01-01T00:00:00Z',
    });
    await browser.post(`/api/campaign/${campaignId}/pause`);

    expect(await get(`/api/agents/${agentId}/versions`)).toMatchObject([{ created_by: adaIs }]);
    expect((await get('/api/auth/api-keys'))[0]).toMatchObject({ name: 'Deployment', createdBy: adaIs });
    expect(await get('/api/do-not-call')).toMatchObject([
      { phone_number: '+15552000102', source: 'import', created_by: adaIs },
      { phone_number: '+15552000101', source: 'api', created_by: adaIs },
    ]);
    expect((await get(`/api/campaign/${campaignId}/log`))[0]).toMatchObject({
      event: 'paused',
      actor: adaIs,
      text: 'Paused by Ada Lovelace.',
    });
  });

  test('stays after the erasure of the person who was called', async () => {
    const browser = await ada();
    const calls = new AgentCalls(browser, await createAgent(workspace));
    const to_number = '+15552000103';
    const id = await calls.start({ to_number });
    await browser.post('/api/do-not-call', { phone_number: to_number, reason: 'asked by letter' });
    const { data } = (await workspace.api.post('/api/erasures', { phone_number: to_number })).body;
    await until(async () => (await get(`/api/erasures/${data.erasure_id}`)).status === 'completed');

    expect(await entry(id, 'accepted')).toMatchObject({
      text: expect.stringMatching(/^Ada Lovelace started a call from the console through /) as string,
    });
    expect(await get('/api/do-not-call')).toMatchObject([{ reason: null, created_by: adaIs }]);
  });
});
