import { randomUUID } from 'node:crypto';
import type { QuotaName } from '../../src/accounts/workspaces/quotas';
import { QuotasService } from '../../src/accounts/workspaces/quotas.service';
import { createAgent } from '../support/agents';
import { type Outcome, outcome, refused, unlessBusy } from '../support/answers';
import {
  csv,
  createNumbers,
  type Parts,
  postForm as postCampaign,
  recipientsFile,
} from '../support/campaigns';
import type { Answer } from '../support/client';
import {
  createdId,
  createKnowledgeBase,
  fileForm,
  indexed,
  postForm,
  search,
} from '../support/knowledge-bases';
import { answering, ScriptedServer } from '../support/scripted-server';
import { type TestParley, type TestWorkspace, useOwnParley, useParley } from '../support/parley';
import { newPhoneNumber } from '../support/phone-numbers';
import { until } from '../support/until';

const LATER = { isScheduled: 'true', scheduleTime: '2099-01-01T09:00:00.000Z' };

const getQuotas = (parley: TestParley) => parley.app.get(QuotasService, { strict: false });

const reached = (
  title: string,
  { limit, used = limit, adds = 1 }: { limit: number; used?: number; adds?: number },
  remedy: string,
  error_code: string,
) =>
  refused(403, `The limit of ${title} is reached`, {
    details: `The workspace has ${used} of at most ${limit} ${title}; this request adds ${adds}. ${remedy}.`,
    error_code,
  });

let names = 0;

interface Case {
  title: string;
  remedy: string;
  errorCode: string;
  /** The amount that each creation adds. */
  adds: number;
  /** The amount that a new workspace has. */
  before?: number;
  create: (workspace: TestWorkspace, index: number) => Promise<Answer>;
  /** Deletes a created resource. */
  remove: (workspace: TestWorkspace, created: Answer) => Promise<unknown>;
}

const createText = (bytes: number) => 'word '.repeat(bytes / 5 - 1) + 'word.';

const CASES: Partial<Record<QuotaName, Case>> = {
  agents: {
    title: 'agents',
    remedy: 'Delete an agent, or ask the operator for a higher quota',
    errorCode: 'AGENTS_QUOTA_REACHED',
    adds: 1,
    create: ({ api }) => api.post('/api/agents', { type: 'chat' }),
    remove: ({ api }, { body }) => api.delete(`/api/agents/${body.data._id}`),
  },
  api_keys: {
    title: 'API keys',
    remedy: 'Revoke an API key, or ask the operator for a higher quota',
    errorCode: 'API_KEYS_QUOTA_REACHED',
    adds: 1,
    before: 1,
    create: ({ api }) => api.post('/api/auth/api-keys', {}),
    remove: ({ api }, { body }) => api.delete(`/api/auth/api-keys/${body.data.keyId}`),
  },
  phone_numbers: {
    title: 'phone numbers',
    remedy: 'Release a phone number, or ask the operator for a higher quota',
    errorCode: 'PHONE_NUMBERS_QUOTA_REACHED',
    adds: 1,
    create: ({ api }) => api.post('/api/phone-number', { phone_number: newPhoneNumber() }),
    remove: ({ api }, { body }) => api.delete(`/api/phone-number/${body.data.number}`),
  },
  knowledge_base_bytes: {
    title: 'bytes in knowledge bases',
    remedy: 'Delete a knowledge base or a source, or ask the operator for a higher quota',
    errorCode: 'KNOWLEDGE_BASE_BYTES_QUOTA_REACHED',
    // The size of the file and of its text.
    adds: 2_000,
    create: ({ api }) =>
      postForm(api, fileForm({ fields: { name: `Quota ${names++}` }, content: createText(1_000) })),
    remove: ({ api }, created) => api.delete(`/api/knowledge-base/${createdId(created)}`),
  },
};

const getStatuses = (answers: Answer[]) => answers.map(({ status }) => status).sort();

describe('A quota', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true', CAMPAIGN_INTERVAL_MS: '50' });

  const set = ({ workspaceId }: TestWorkspace, name: QuotaName, limit: number | null) =>
    getQuotas(parley).set(workspaceId, name, limit);

  const readUsage = async ({ workspaceId }: TestWorkspace, name: QuotaName) =>
    (await getQuotas(parley).show(workspaceId, name)).used;

  describe.each(Object.entries(CASES) as [QuotaName, Case][])('of %s', (name, each) => {
    const { title, remedy, errorCode, adds, before = 0, create, remove } = each;

    test('is exact if twenty are created at once, and allows another one after a deletion', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const limit = before + 5 * adds;
      await set(workspace, name, limit);

      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => unlessBusy(() => create(workspace, index))),
      );

      const created = answers.filter(({ status }) => status < 300);
      expect(created).toHaveLength(5);
      const refusal = reached(title, { limit, adds }, remedy, errorCode);
      for (const answer of answers.filter(({ status }) => status >= 300)) {
        expect(await outcome(Promise.resolve(answer))).toEqual(refusal);
      }
      expect(await readUsage(workspace, name)).toBe(limit);
      expect(await outcome(create(other, 0))).toMatchObject({ status: created[0]?.status });

      await remove(workspace, created[0] as Answer);
      expect(getStatuses([await create(workspace, 20), await create(workspace, 21)])).toEqual([
        created[0]?.status,
        403,
      ]);
    });
  });

  test('of API keys does not count expired keys', async () => {
    const workspace = await parley.workspace();
    await set(workspace, 'api_keys', 2);
    const create = () => workspace.api.post('/api/auth/api-keys', {});
    expect((await create()).status).toBe(201);
    expect((await create()).status).toBe(403);

    await parley.sql(
      `UPDATE api_keys SET expires_at = now()
       WHERE id = (SELECT id FROM api_keys WHERE workspace_id = $1 ORDER BY created_at DESC LIMIT 1)`,
      [workspace.workspaceId],
    );

    expect((await create()).status).toBe(201);
  });

  test('of phone numbers also applies to assigning a new number to an agent', async () => {
    const workspace = await parley.workspace();
    const [agentId, another] = [await createAgent(workspace), await createAgent(workspace)];
    await set(workspace, 'phone_numbers', 1);
    const [first, second] = [newPhoneNumber(), newPhoneNumber()];
    const assign = (id: string, phone_number: string) =>
      workspace.api.put(`/api/agents/${id}/phone-number`, { phone_number });

    expect((await assign(agentId, first)).status).toBe(200);
    expect((await assign(another, second)).body).toMatchObject({ error_code: 'PHONE_NUMBERS_QUOTA_REACHED' });
    expect((await assign(another, first)).status).toBe(200);
    expect((await workspace.api.post('/api/phone-number', { phone_number: first })).status).toBe(201);
    expect(await readUsage(workspace, 'phone_numbers')).toBe(1);
  });

  describe('of recipients', () => {
    const create = ({ api }: TestWorkspace, agentId: string, file: Blob, fields: object = LATER) =>
      postCampaign(api, [
        ...Object.entries({ campaignName: 'Spring', assistantId: agentId, ...fields }),
        ['file', file],
      ]);

    test('refuses a file when it is checked as when it is uploaded', async () => {
      const workspace = await parley.workspace();
      const form: Parts = [
        ...Object.entries({ campaignName: 'Spring', assistantId: await createAgent(workspace), ...LATER }),
        ['file', recipientsFile(2)],
      ];
      await set(workspace, 'recipients', 1);

      const checked = await outcome(postCampaign(workspace.api, form, '/api/campaign/validate'));

      expect(checked).toMatchObject({ status: 403 });
      expect(checked).toEqual(await outcome(postCampaign(workspace.api, form)));
    });

    test('is exact if twenty campaigns are created at once', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      await set(workspace, 'recipients', 10);

      const answers = await Promise.all(
        Array.from({ length: 20 }, () => unlessBusy(() => create(workspace, agentId, recipientsFile(2)))),
      );

      expect(getStatuses(answers)).toEqual([...Array<number>(5).fill(201), ...Array<number>(15).fill(403)]);
      const last = answers.find(({ status }) => status === 403) as Answer;
      expect(await outcome(Promise.resolve(last))).toEqual(
        reached(
          'recipients to call',
          { limit: 10, adds: 2 },
          'Wait until the campaigns have called theirs, or ask the operator for a higher quota',
          'RECIPIENTS_QUOTA_REACHED',
        ),
      );
      const stored = await parley.sql(
        `SELECT FROM campaign_recipients JOIN campaigns ON id = campaign_id WHERE workspace_id = $1`,
        [workspace.workspaceId],
      );
      expect(stored).toHaveLength(10);

      // The campaigns of the agent fail, so no recipients are counted.
      await workspace.api.delete(`/api/agents/${agentId}`);
      const next = await createAgent(workspace);
      await untilUsed(workspace, 0);
      expect((await create(workspace, next, recipientsFile(10))).status).toBe(201);
      expect((await create(workspace, next, recipientsFile(1))).status).toBe(403);
    });

    test('does not count called recipients, and accepts a file that reaches it exactly', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      await set(workspace, 'recipients', 3);

      expect((await create(workspace, agentId, recipientsFile(4), {})).status).toBe(403);
      expect((await create(workspace, agentId, recipientsFile(3), {})).status).toBe(201);
      await untilUsed(workspace, 0);
      expect((await create(workspace, agentId, recipientsFile(3))).status).toBe(201);
    });

    test('is not the reason for a refusal if the file has invalid rows', async () => {
      const workspace = await parley.workspace();
      const agentId = await createAgent(workspace);
      await set(workspace, 'recipients', 1);

      const file = csv(['phone_number', ...createNumbers(2), 'invalid'].join('\n'));

      expect((await create(workspace, agentId, file)).status).toBe(422);
    });

    const untilUsed = (workspace: TestWorkspace, used: number) =>
      until(async () => (await readUsage(workspace, 'recipients')) === used);
  });

  describe('of bytes in knowledge bases', () => {
    let web: ScriptedServer;

    beforeAll(async () => {
      web = await ScriptedServer.start({
        '/first': answering(createText(1_000), { 'content-type': 'text/plain' }),
        '/second': answering(createText(1_000), { 'content-type': 'text/plain' }),
        '/third': answering(`A zebra. ${createText(2_000)}`, { 'content-type': 'text/plain' }),
      });
    });
    afterAll(() => web.stop());

    test('counts the text of links, also of links that are fetched in the background', async () => {
      const workspace = await parley.workspace();
      await set(workspace, 'knowledge_base_bytes', 2_500);
      const site = {
        name: 'Site',
        baseUrl: web.url('/first'),
        urls: [web.url('/third'), web.url('/second')],
      };

      const id = createdId(await workspace.api.post('/api/knowledge-base', site));

      const { sources } = (await indexed(workspace, id)) as {
        sources: { name: string; status: string; metadata: object }[];
      };
      expect(sources.map(({ name, status }) => [name, status])).toEqual([
        [web.url('/first'), 'completed'],
        [web.url('/third'), 'failed'],
        [web.url('/second'), 'completed'],
      ]);
      expect(JSON.stringify(sources[1]?.metadata)).toContain(
        "its text has 2009 bytes, and the workspace's knowledge bases may have 2500 bytes in all",
      );
      expect(await readUsage(workspace, 'knowledge_base_bytes')).toBe(2_000);
      expect(await search(workspace, id, 'zebra')).toEqual([]);

      await workspace.api.delete(`/api/knowledge-base/${id}`);
      expect(await readUsage(workspace, 'knowledge_base_bytes')).toBe(0);
    });

    test('stores nothing of a refused file', async () => {
      const workspace = await parley.workspace();
      const id = await createKnowledgeBase(workspace, { content: createText(1_000) });
      await indexed(workspace, id);
      await set(workspace, 'knowledge_base_bytes', 2_000);
      const contents = () =>
        parley.sql(
          'SELECT (SELECT count(*) FROM knowledge_bases), (SELECT count(*) FROM knowledge_base_files)',
        );
      const before = await contents();

      const answer = await postForm(workspace.api, fileForm({ fields: { name: 'More' }, content: 'word' }));

      expect(answer.body).toMatchObject({ status: 403, error_code: 'KNOWLEDGE_BASE_BYTES_QUOTA_REACHED' });
      expect(await contents()).toEqual(before);
    });
  });

  test('is shown with the amount that the workspace has', async () => {
    const workspace = await parley.workspace();
    await createAgent(workspace);
    await getQuotas(parley).set(workspace.workspaceId, 'agents', 5);

    const { status, body } = await workspace.api.get('/api/workspace/quotas');

    expect(status).toBe(200);
    expect(body.data).toEqual(
      expect.arrayContaining([
        { name: 'agents', limit: 5, used: 1, set_by: 'operator' },
        { name: 'credits_per_day', limit: null, used: 0, set_by: 'default' },
        { name: 'requests_per_minute', limit: expect.any(Number) as number, used: null, set_by: 'default' },
      ]),
    );
  });

  test('does not use up the Idempotency-Key of a refused request', async () => {
    const workspace = await parley.workspace();
    await set(workspace, 'agents', 0);
    const create = (key: string) =>
      workspace.api.raw('/api/agents', {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'idempotency-key': key },
        body: JSON.stringify({ type: 'chat' }),
      });
    const key = randomUUID();
    expect((await create(key)).status).toBe(403);

    await set(workspace, 'agents', 1);

    const created = await create(key);
    expect(created.status).toBe(200);
    expect((await create(key)).body).toEqual(created.body);
  });

  test('that is lowered deletes nothing', async () => {
    const workspace = await parley.workspace();
    await createAgent(workspace);
    await createAgent(workspace);

    await set(workspace, 'agents', 1);

    expect(await outcome(workspace.api.post('/api/agents', { type: 'chat' }))).toEqual(
      reached(
        'agents',
        { limit: 1, used: 2 },
        'Delete an agent, or ask the operator for a higher quota',
        'AGENTS_QUOTA_REACHED',
      ),
    );
    expect((await workspace.api.get('/api/agents')).body.data).toHaveLength(2);
  });
});

describe("The installation's quotas", () => {
  const parley = useOwnParley({
    ROLES: 'http',
    AGENTS_QUOTA: '1',
    KNOWLEDGE_BASE_MB_QUOTA: '1',
    RECORDINGS_MB_QUOTA: '1',
    API_KEYS_QUOTA: '1',
    PHONE_NUMBERS_QUOTA: '1',
    RECIPIENTS_QUOTA: '1',
    WORKSPACE_CONCURRENCY: '1',
    RATE_LIMIT_PER_MINUTE: '1000',
  });

  test('apply to every workspace without its own quota', async () => {
    const [workspace, another] = await Promise.all([parley.workspace(), parley.workspace()]);
    const create = async ({ api }: TestWorkspace) => (await api.post('/api/agents', { type: 'chat' })).status;
    const quotas = getQuotas(parley);

    await quotas.set(workspace.workspaceId, 'agents', 2);
    expect([await create(workspace), await create(workspace), await create(workspace)]).toEqual([
      200, 200, 403,
    ]);
    expect([await create(another), await create(another)]).toEqual([200, 403]);

    await quotas.set(workspace.workspaceId, 'agents', 3);
    expect(await create(workspace)).toBe(200);
    await quotas.set(workspace.workspaceId, 'agents', null);
    expect(await create(workspace)).toBe(403);
  });

  test('are shown to the operator', async () => {
    const { workspaceId } = await parley.workspace();

    expect(await getQuotas(parley).list(workspaceId)).toEqual({
      agents: { limit: 1, used: 0, setBy: 'default' },
      knowledge_base_bytes: { limit: 1_048_576, used: 0, setBy: 'default' },
      recording_bytes: { limit: 1_048_576, used: 0, setBy: 'default' },
      api_keys: { limit: 1, used: 1, setBy: 'default' },
      phone_numbers: { limit: 1, used: 0, setBy: 'default' },
      recipients: { limit: 1, used: 0, setBy: 'default' },
      concurrent_calls: { limit: 1, used: 0, setBy: 'default' },
      requests_per_minute: { limit: 1_000, setBy: 'default' },
      credits_per_day: { limit: null, used: 0, setBy: 'default' },
    });
  });
});

describe('Resources without a quota', () => {
  const parley = useParley();

  const fill = (insert: string, { workspaceId }: TestWorkspace) =>
    parley.sql(`${insert} FROM generate_series(1, $2::integer) AS number`, [workspaceId, 999]);

  const last = async (send: () => Promise<Answer>): Promise<Outcome[]> => {
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(send())));
    return outcomes.sort((a, b) => a.status - b.status).slice(1);
  };

  const four = (refusal: Outcome) => Array<Outcome>(4).fill(refusal);

  test('have a maximum of 200 tools', async () => {
    const workspace = await parley.workspace();
    await parley.sql(
      `INSERT INTO tools (id, workspace_id, name, definition)
       SELECT gen_random_uuid(), $1, 'tool_' || number, '{}' FROM generate_series(1, 199) AS number`,
      [workspace.workspaceId],
    );
    const body = { name: 'one_more', description: 'One more.', url: 'https://shop.example.com' };
    const send = (number: number) =>
      workspace.api.post('/api/tools', { ...body, name: `one_more_${number}` });
    let sent = 0;

    expect(await last(() => send(sent++))).toEqual(
      four(reached('tools', { limit: 200 }, 'Delete a tool', 'TOOLS_LIMIT_REACHED')),
    );
  });

  test('have a maximum of 1,000 prompt templates', async () => {
    const workspace = await parley.workspace();
    await fill(
      `INSERT INTO prompt_templates (id, workspace_id, name, greeting, prompt)
       SELECT gen_random_uuid(), $1, 'Template ' || number, '', 'Be kind.'`,
      workspace,
    );

    expect(
      await last(() =>
        workspace.api.post('/api/prompt-templates', {
          name: 'One more',
          greeting: 'Hello',
          prompt: 'Be kind.',
        }),
      ),
    ).toEqual(
      four(
        reached(
          'prompt templates',
          { limit: 1_000 },
          'Delete a prompt template',
          'PROMPT_TEMPLATES_LIMIT_REACHED',
        ),
      ),
    );
  });

  test('have a maximum of 1,000 webhook test events in 24 hours', async () => {
    const workspace = await parley.workspace();
    const send = () => workspace.api.post('/api/webhooks/test', { url: 'https://example.com/' });
    await fill(
      `INSERT INTO webhook_deliveries (
         id, workspace_id, ordering_key, type, url, data, give_up_at, status, next_attempt_at)
       SELECT gen_random_uuid(), $1, gen_random_uuid(), 'webhook.test', 'https://example.com/', '{}', now(),
              'delivered', NULL`,
      workspace,
    );

    expect(await last(send)).toEqual(
      four(
        reached(
          'webhook test events in 24 hours',
          { limit: 1_000 },
          'Try again later',
          'WEBHOOK_TEST_EVENTS_LIMIT_REACHED',
        ),
      ),
    );

    await parley.sql(
      `UPDATE webhook_deliveries SET created_at = created_at - interval '1 day' WHERE workspace_id = $1`,
      [workspace.workspaceId],
    );
    expect((await send()).status).toBe(202);
  });

  test('have a maximum of 10,000 sessions', async () => {
    const workspace = await parley.workspace();
    await parley.sql(
      `INSERT INTO sessions (id, workspace_id, hash, credential_kind, user_id, expires_at)
       SELECT gen_random_uuid(), $1::uuid, decode(md5($1::uuid::text || number::text), 'hex'), 'token', 'user ' || number,
              now() + interval '1 day' FROM generate_series(1, 10000) AS number`,
      [workspace.workspaceId],
    );

    expect(await outcome(workspace.api.post('/api/session', {}))).toEqual(
      reached('sessions', { limit: 10_000 }, 'End a session', 'SESSIONS_LIMIT_REACHED'),
    );
  });

  test('have a maximum of 10,000 knowledge bases', async () => {
    const workspace = await parley.workspace();
    for (let filled = 0; filled < 10; filled += 1) {
      await fill(
        `INSERT INTO knowledge_bases (id, workspace_id, name, type)
         SELECT gen_random_uuid(), $1, 'Base ${filled} ' || number, 'link'`,
        workspace,
      );
    }
    await parley.sql(
      `INSERT INTO knowledge_bases (id, workspace_id, name, type)
       SELECT gen_random_uuid(), $1, 'Rest ' || number, 'link' FROM generate_series(1, 10) AS number`,
      [workspace.workspaceId],
    );

    const answer = await postForm(workspace.api, fileForm({ fields: { name: 'One more' } }));

    expect(await outcome(Promise.resolve(answer))).toEqual(
      reached(
        'knowledge bases',
        { limit: 10_000 },
        'Delete a knowledge base',
        'KNOWLEDGE_BASES_LIMIT_REACHED',
      ),
    );
  });

  test('include one waiting job for each replayed webhook delivery', async () => {
    const workspace = await parley.workspace();
    const { body } = await workspace.api.post('/api/webhooks/test', { url: 'https://example.com/' });
    const id = (body as { data: { delivery_id: string } }).data.delivery_id;

    const answers = await Promise.all(
      Array.from({ length: 20 }, () => workspace.api.post(`/api/webhooks/deliveries/${id}/replay`)),
    );

    expect(getStatuses(answers)).toEqual(Array<number>(20).fill(202));
    const jobs = await parley.sql(
      `SELECT FROM graphile_worker._private_jobs WHERE payload ->> 'workspaceId' = $1`,
      [workspace.workspaceId],
    );
    // The job of the event and the job of the replays.
    expect(jobs).toHaveLength(2);
  });
});
