import {
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
import { createAgent, readAgent } from '../support/agents';
import { type TestWorkspace, useParley } from '../support/parley';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const PLATFORM_TEMPLATES = [
  'satisfaction-survey',
  'payment-reminder',
  'lead-qualification',
  'customer-support',
  'appointment-reminder',
  'appointment-booking',
];

const concierge = {
  name: 'Concierge',
  category: ['hotels'],
  greeting: 'Welcome, {{guest}}.',
  prompt: 'You are the concierge.',
  dynamic_variables: ['guest'],
};

describe('Prompt templates', () => {
  const parley = useParley();

  const create = ({ api }: TestWorkspace, body: object) => outcome(api.post('/api/prompt-templates', body));
  const remove = ({ api }: TestWorkspace, id: string) => outcome(api.delete(`/api/prompt-templates/${id}`));

  async function createdId(workspace: TestWorkspace, fields: object = {}): Promise<string> {
    const { body } = await workspace.api.post('/api/prompt-templates', { ...concierge, ...fields });
    return (body as { data: { template_id: string } }).data.template_id;
  }

  async function ids({ api }: TestWorkspace): Promise<string[]> {
    const { body } = await api.get('/api/prompt-templates?limit=100');
    return body.data.map(({ template_id }: { template_id: string }) => template_id);
  }

  test('ship with the platform', async () => {
    const workspace = await parley.workspace();

    expect(await ids(workspace)).toEqual(PLATFORM_TEMPLATES);
    expect(await outcome(workspace.api.get('/api/prompt-templates?page=4&limit=1'))).toEqual(
      succeeded(
        'Prompt templates',
        [
          {
            template_id: 'customer-support',
            owner: 'platform',
            name: 'Customer support',
            category: ['support'],
            greeting: 'Thank you for calling {{company_name}}. How can I help you?',
            dynamic_variables: ['company_name'],
            createdAt: expect.stringMatching(INSTANT),
          },
        ],
        { page: 4, limit: 1, total: 6, totalPages: 6, hasNextPage: true, hasPrevPage: true },
      ),
    );
  });

  test('name every variable that their texts use', async () => {
    const workspace = await parley.workspace();

    for (const id of await ids(workspace)) {
      const { body } = await workspace.api.get(`/api/prompt-templates/${id}`);
      const { greeting, prompt, dynamic_variables } = body.data;
      const used = [...`${greeting} ${prompt}`.matchAll(/\{\{(.+?)\}\}/g)].map(([, name]) => name);
      expect([...new Set(used)].sort()).toEqual([...dynamic_variables].sort());
    }
  });

  test('are created by a workspace, and listed before those of the platform', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);

    const created = await create(workspace, concierge);

    const shown = {
      ...concierge,
      template_id: expect.any(String),
      owner: 'workspace',
      createdAt: expect.stringMatching(INSTANT),
    };
    expect(created).toEqual({
      status: 201,
      body: { status: 201, message: 'Prompt template created', data: shown },
    });
    const { data } = created.body as { data: { template_id: string } };
    const { prompt: _, ...summary } = shown;
    expect((await workspace.api.get('/api/prompt-templates?limit=1')).body.data).toEqual([summary]);
    expect(await ids(workspace)).toEqual([data.template_id, ...PLATFORM_TEMPLATES]);
    expect(await ids(other)).toEqual(PLATFORM_TEMPLATES);
  });

  test('are read with their prompt one by one, those of the platform and of the workspace', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const id = await createdId(workspace, { prompt: '😀'.repeat(100_000) });
    const read = ({ api }: TestWorkspace, templateId: string) =>
      outcome(api.get(`/api/prompt-templates/${templateId}`));

    expect(await read(workspace, id)).toEqual(
      succeeded('Prompt template', {
        ...concierge,
        prompt: '😀'.repeat(100_000),
        template_id: id,
        owner: 'workspace',
        createdAt: expect.stringMatching(INSTANT),
      }),
    );
    expect(await read(workspace, 'customer-support')).toMatchObject({
      body: { data: { prompt: expect.stringContaining('You answer the support line of {{company_name}}.') } },
    });
    for (const unknown of ['nothing', '%00', '%F0%9F%98%80', 'x'.repeat(3_000)]) {
      expect(await read(workspace, unknown)).toEqual(
        refused(404, 'Prompt template not found', { error_code: 'PROMPT_TEMPLATE_NOT_FOUND' }),
      );
    }
    expect(await read(other, id)).toEqual(
      refused(404, 'Prompt template not found', { error_code: 'PROMPT_TEMPLATE_NOT_FOUND' }),
    );
  });

  test('need a name, a greeting and a prompt, and no more', async () => {
    const workspace = await parley.workspace();

    expect(await create(workspace, { name: 'X', greeting: '', prompt: '', category: 'a' })).toMatchObject({
      status: 201,
      body: { data: { greeting: '', prompt: '', category: ['a'], dynamic_variables: [] } },
    });
    expect(await create(workspace, {})).toEqual(invalid('body.name', 'body.greeting', 'body.prompt'));
    const wrong: Record<string, unknown[]> = {
      name: ['', ' \n', 'x'.repeat(201), 5, null],
      greeting: ['x'.repeat(2_001), 5, null],
      prompt: ['x'.repeat(100_001), 5, null],
      category: [5, null, Array(101).fill('x')],
      dynamic_variables: ['guest', 5, null, Array(101).fill('x')],
      foo: [1],
    };
    for (const [field, values] of Object.entries(wrong)) {
      for (const value of values) {
        expect(await create(workspace, { ...concierge, [field]: value })).toEqual(invalid(`body.${field}`));
      }
    }
    expect(
      await create(workspace, { ...concierge, category: ['x'.repeat(201)], dynamic_variables: ['guest', 5] }),
    ).toEqual(invalid('body.category.0', 'body.dynamic_variables.1'));
  });

  test('are deleted by their workspace; agents made from them stay as they are', async () => {
    const workspace = await parley.workspace();
    const id = await createdId(workspace);
    const agentId = await createAgent(workspace, { templateId: id });

    expect(await remove(workspace, id)).toEqual({
      status: 200,
      body: { status: 200, message: 'Prompt template deleted' },
    });

    expect(await remove(workspace, id)).toEqual(
      refused(404, 'Prompt template not found', { error_code: 'PROMPT_TEMPLATE_NOT_FOUND' }),
    );
    expect(await ids(workspace)).toEqual(PLATFORM_TEMPLATES);
    expect(await readAgent(workspace, agentId)).toMatchObject({
      name: 'Concierge',
      greeting: concierge.greeting,
    });
  });

  test('are not deleted by other workspaces, and those of the platform cannot be deleted', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const theirs = await createdId(other);

    for (const id of [theirs, 'customer-support', 'unknown', '%00', '%F0%9F%98%80', 'x'.repeat(3_000)]) {
      expect(await remove(workspace, id)).toEqual(
        refused(404, 'Prompt template not found', { error_code: 'PROMPT_TEMPLATE_NOT_FOUND' }),
      );
    }
    expect(await ids(other)).toEqual([theirs, ...PLATFORM_TEMPLATES]);
  });

  test('refuse impossible pages', async () => {
    const workspace = await parley.workspace();

    expect(await outcome(workspace.api.get('/api/prompt-templates?page=0&limit=101&search=x'))).toEqual(
      invalid('query.page', 'query.limit', 'query.search'),
    );
  });

  test('require a credential of the whole workspace', async () => {
    const workspace = await parley.workspace();
    const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);
    const id = await createdId(workspace);

    for (const [method, path] of [
      ['GET', '/api/prompt-templates'],
      ['POST', '/api/prompt-templates'],
      ['GET', `/api/prompt-templates/${id}`],
      ['DELETE', `/api/prompt-templates/${id}`],
    ] as const) {
      expect(await outcomeForStrangers(parley, (api) => api.send(method, path))).toEqual(unauthorized());
      expect(await outcome(scoped.send(method, path))).toEqual(outOfScope());
    }
  });

  test('are answered with a 500 when the server fails', async () => {
    const workspace = await parley.workspace();
    const id = await createdId(workspace);

    await withoutTable(parley, 'prompt_templates', async () => {
      expect(await outcome(workspace.api.get('/api/prompt-templates'))).toEqual(serverFailed());
      expect(await outcome(workspace.api.get(`/api/prompt-templates/${id}`))).toEqual(serverFailed());
      expect(await create(workspace, concierge)).toEqual(serverFailed());
      expect(await remove(workspace, id)).toEqual(serverFailed());
    });
  });
});
