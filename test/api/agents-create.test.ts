import {
  AGENT_FIELDS,
  AGENT_OBJECTS,
  activeDeployment,
  EVERY_FIELD,
  flatten,
  nest,
  NO_OBJECTS,
  NULLABLE_FIELDS,
  WRITABLE_FIELDS,
} from '../support/agent-fields';
import { createAgent, readAgent } from '../support/agents';
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
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('Creating an agent', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  const create = ({ api }: TestWorkspace, body: object) => outcome(api.post('/api/agents', body));
  const agentCount = async ({ api }: TestWorkspace) =>
    (await api.get('/api/agents')).body.pagination.total as number;

  test.each(['inbound', 'outbound', 'chat', 'hybrid'])('takes no more than the type %s', async (type) => {
    const workspace = await parley.workspace();

    const created = await create(workspace, { type });

    expect(created).toEqual(
      succeeded('Agent created', {
        _id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        workspaceId: workspace.workspaceId,
        userId: workspace.userId,
        name: `New ${type} agent`,
        type,
      }),
    );
  });

  test('fills in everything that its creator leaves out', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace, { type: 'inbound' });

    const agent = await readAgent(workspace, id);

    expect(agent).toEqual({
      _id: id,
      workspaceId: workspace.workspaceId,
      userId: workspace.userId,
      name: 'New inbound agent',
      type: 'inbound',
      category: [],
      description: '',
      image: '',
      features: [],
      popularity: 0,
      voiceConfig: {
        provider: 'elevenlabs',
        model: 'eleven_turbo_v2_5',
        voiceId: 'EXAVITQu4vr4xnSDxMaL',
        language: 'en',
        patienceLevel: 1,
        speed: 1,
        pitch: 1,
        latency: 1,
        stability: 0.5,
        styleExaggeration: 0,
        similarity: 0.75,
        voicePromptType: null,
        voicePrompt: null,
        numberOfWords: 0,
        voiceSeconds: 0.2,
        backOfSeconds: 1,
      },
      aiModel: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 },
      llmConfig: { provider: 'openai', model: 'gpt-4o-mini', temperature: 0.7, maxTokens: 250 },
      sttConfig: {
        provider: 'deepgram',
        model: 'nova-3',
        utterance_end_ms: 1000,
        on_punctuation_second: 0.1,
        vadEnabled: true,
        ncEnabled: true,
        vad_detection: true,
        keywords: [],
        keyterms: [],
        waitseconds: 0.4,
      },
      voicemailConfig: { isEnabled: false, message: null },
      backChannelConfig: { isEnabled: false, frequency: 0.8, backchannelWords: [] },
      timeoutConfig: { silenceTimeout: 30, maximumDuration: 600 },
      callConfig: {
        timeZone: 'UTC',
        maxDuration: 600,
        voicemailDetection: { enabled: false, type: 'hangup' },
        recordingEnabled: false,
        transcriptionEnabled: true,
        speakerBoost: false,
        idleReminders: [false, 10],
        limitCallDuration: [true, 600],
        backGroundNoiseEnv: null,
        backGroundNoiseLevel: null,
        backGroundNoiseThreshold: 0.5,
        backGroundNoiseTimeout: 0,
        backGroundNoiseTimeoutThreshold: 0,
        backGroundNoiseTimeoutInterval: 0,
      },
      fillerWords: false,
      DND: false,
      status: true,
      customVocabulary: [],
      timezone: 'UTC',
      countryName: '',
      greeting: 'Hello, how can I help you today?',
      prompt: 'You are a friendly and helpful voice assistant. Keep your answers short and speak naturally.',
      knowledgeBases: [],
      actions: [],
      deployment: activeDeployment(1),
      stats: { totalCalls: 0, successRate: 0, avgCallDuration: 0, lastCallAt: null },
      templateCategory: null,
      industry: null,
      recommendedActions: [],
      localisedPrompt: '',
      multiLingual: false,
      primaryLanguage: 'en',
      secondaryLanguages: [],
      dynamic_variables: [],
      widget: false,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
    const fields = flatten(agent);
    expect(Object.keys(fields).sort()).toEqual(Object.keys(AGENT_FIELDS).sort());
    expect(Object.entries(AGENT_FIELDS).filter(([path, { is }]) => !is(fields[path]))).toEqual([]);
  });

  test('takes every field that an update takes', async () => {
    const workspace = await parley.workspace();
    const fields = { ...EVERY_FIELD, workspaceId: workspace.workspaceId };
    const own = /^deployment\.(?!version)/;
    const writable = Object.keys(WRITABLE_FIELDS).filter((path) => !own.test(path));
    expect(Object.keys(flatten(fields)).sort()).toEqual(writable.sort());

    const id = await createAgent(workspace, fields);

    expect(await readAgent(workspace, id)).toEqual({
      ...fields,
      voiceConfig: { ...fields.voiceConfig, model: 'sonic-2' },
      deployment: activeDeployment(7),
      _id: id,
      userId: workspace.userId,
      DND: true,
      countryName: 'Germany',
      widget: true,
      createdAt: expect.stringMatching(INSTANT),
      updatedAt: expect.stringMatching(INSTANT),
    });
  });

  test('accepts null for every nullable field, and a category as text', async () => {
    const workspace = await parley.workspace();
    const nulls = Object.fromEntries(NULLABLE_FIELDS.map((path) => [path, null]));

    const id = await createAgent(workspace, { category: 'sales', ...nest(nulls) });

    const agent = await readAgent(workspace, id);
    expect(flatten(agent)).toMatchObject(nulls);
    expect(agent.category).toEqual(['sales']);
  });

  test('starts from a template of the platform', async () => {
    const workspace = await parley.workspace();

    const created = await create(workspace, { type: 'inbound', templateId: 'customer-support' });

    expect(created).toEqual(
      succeeded('Agent created', {
        _id: expect.any(String),
        workspaceId: workspace.workspaceId,
        userId: workspace.userId,
        name: 'Customer support',
        type: 'inbound',
      }),
    );
    const { _id: id } = (created.body as { data: { _id: string } }).data;
    expect(await readAgent(workspace, id)).toMatchObject({
      category: ['support'],
      greeting: 'Thank you for calling {{company_name}}. How can I help you?',
      prompt: expect.stringContaining('You answer the support line of {{company_name}}.'),
      dynamic_variables: ['company_name'],
      llmConfig: { temperature: 0.7 },
    });
  });

  test('starts from a template of the workspace, and overwrites the fields that are sent', async () => {
    const workspace = await parley.workspace();
    const template = await workspace.api.post('/api/prompt-templates', {
      name: 'Concierge',
      category: ['hotels'],
      greeting: 'Welcome, {{guest}}.',
      prompt: 'You are the concierge.',
      dynamic_variables: ['guest'],
    });
    const templateId: string = template.body.data.template_id;

    const plain = await createAgent(workspace, { templateId });
    const changed = await createAgent(workspace, {
      templateId,
      name: 'Night desk',
      category: 'night',
      prompt: 'You work at night.',
    });

    const fromTemplate = { greeting: 'Welcome, {{guest}}.', dynamic_variables: ['guest'] };
    expect(await readAgent(workspace, plain)).toMatchObject({
      ...fromTemplate,
      name: 'Concierge',
      category: ['hotels'],
      prompt: 'You are the concierge.',
    });
    expect(await readAgent(workspace, changed)).toMatchObject({
      ...fromTemplate,
      name: 'Night desk',
      category: ['night'],
      prompt: 'You work at night.',
    });
  });

  test('does not find a template that is unknown or belongs to another workspace', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const theirs = await other.api.post('/api/prompt-templates', { name: 'X', greeting: '', prompt: '' });

    for (const templateId of [theirs.body.data.template_id, 'unknown', '']) {
      expect(await create(workspace, { type: 'chat', templateId })).toEqual(
        refused(404, 'Prompt template not found', { error_code: 'PROMPT_TEMPLATE_NOT_FOUND' }),
      );
    }
    expect(await agentCount(workspace)).toBe(0);
  });

  test('does not find an unknown knowledge base', async () => {
    const workspace = await parley.workspace();

    expect(await create(workspace, { type: 'chat', knowledgeBases: ['unknown', 5, null] })).toEqual(
      invalid('body.knowledgeBases.1', 'body.knowledgeBases.2'),
    );
    for (const knowledgeBase of ['01890000-0000-7000-8000-000000000000', 'unknown']) {
      expect(await create(workspace, { type: 'chat', knowledgeBases: [knowledgeBase] })).toEqual(
        refused(404, 'Knowledge base not found', { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' }),
      );
    }
    expect(await agentCount(workspace)).toBe(0);
  });

  test('requires an active subscription', async () => {
    const workspace = await parley.workspace({ subscribed: false });

    expect(await create(workspace, { type: 'chat' })).toEqual(
      refused(403, 'Creating an agent requires an active subscription', {
        error_code: 'NO_ACTIVE_SUBSCRIPTION',
      }),
    );
    expect(await agentCount(workspace)).toBe(0);
  });

  test('requires a credential of the whole workspace', async () => {
    const workspace = await parley.workspace();

    expect(await outcomeForStrangers(parley, (api) => api.post('/api/agents', { type: 'chat' }))).toEqual(
      unauthorized(),
    );
    const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);
    expect(await outcome(scoped.post('/api/agents', { type: 'chat' }))).toEqual(outOfScope());
  });

  test('is answered with a 500 when the server fails', async () => {
    const workspace = await parley.workspace();

    const created = await withoutTable(parley, 'agents', () => create(workspace, { type: 'chat' }));

    expect(created).toEqual(serverFailed());
  });

  test('requires a known type', async () => {
    const workspace = await parley.workspace();

    expect(await create(workspace, {})).toEqual(
      refused(400, 'Validation failed', {
        error_code: 'VALIDATION_FAILED',
        errors: [{ field: 'body.type', message: 'type is missing' }],
      }),
    );
    for (const type of ['voice', 'INBOUND', '']) {
      expect(await create(workspace, { type })).toEqual(invalid('body.type'));
    }
  });

  test('accepts only the workspace of the credential', async () => {
    const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
    const { workspaceId } = workspace;

    expect(await create(workspace, { type: 'chat', workspaceId })).toMatchObject({ status: 200 });
    for (const foreign of [other.workspaceId, 'unknown', '', 5, null]) {
      expect(await create(workspace, { type: 'chat', workspaceId: foreign })).toEqual(
        invalid('body.workspaceId'),
      );
    }
  });

  test('names every property that it does not know', async () => {
    const workspace = await parley.workspace();

    const created = await create(workspace, {
      type: 'chat',
      foo: 1,
      _id: 'mine',
      DND: true,
      llmConfig: { foo: 1 },
      callConfig: { voicemailDetection: { foo: null } },
      deployment: { versions: 1 },
    });

    expect(created).toEqual(
      invalid(
        'body.foo',
        'body._id',
        'body.DND',
        'body.llmConfig.foo',
        'body.callConfig.voicemailDetection.foo',
        'body.deployment.versions',
      ),
    );
    expect((created.body as { errors: unknown[] }).errors).toContainEqual({
      field: 'body.llmConfig.foo',
      message: 'foo is not a known property',
    });
  });

  test('names every field of another type', async () => {
    const workspace = await parley.workspace();
    const { workspaceId: _, ...fields } = WRITABLE_FIELDS;
    const paths = Object.keys(fields);

    for (const round of [0, 1, 2, 3, 4]) {
      const body = nest(
        Object.fromEntries(Object.entries(fields).map(([path, { wrong }]) => [path, wrong[round]])),
      );
      expect(await create(workspace, body)).toEqual(invalid(...paths.map((path) => `body.${path}`)));
    }
    const objects = AGENT_OBJECTS.filter((path) => !path.includes('.'));
    for (const wrong of NO_OBJECTS) {
      const body = Object.fromEntries(objects.map((path) => [path, wrong]));
      expect(await create(workspace, { type: 'chat', ...body })).toEqual(
        invalid(...objects.map((path) => `body.${path}`)),
      );
      expect(await create(workspace, { type: 'chat', callConfig: { voicemailDetection: wrong } })).toEqual(
        invalid('body.callConfig.voicemailDetection'),
      );
      expect(await create(workspace, { type: 'chat', metaData: wrong, templateId: 5 })).toEqual(
        invalid('body.metaData', 'body.templateId'),
      );
    }
  });

  test('keeps the bounds of every field', async () => {
    const workspace = await parley.workspace();
    const outside: [string, ...unknown[]][] = [
      ['llmConfig.temperature', -0.1, 2.1],
      ['llmConfig.maxTokens', 0, 1_000_000_001],
      ['sttConfig.utterance_end_ms', -1],
      ['sttConfig.on_punctuation_second', -0.1],
      ['callConfig.idleReminders', [], [true], [true, 1, 2]],
      ['callConfig.limitCallDuration', [], [false], [0, 1, 2]],
      ['deployment.status', 'live', 'ACTIVE', ''],
      ['deployment.version', 0, 2_147_483_648],
      ['stats.totalCalls', -1],
      ['name', '', ' \t\u00a0\n', 'x'.repeat(201)],
      ['description', 'x'.repeat(10_001)],
      ['greeting', 'x'.repeat(2_001)],
      ['prompt', 'x'.repeat(100_001)],
      ['timezone', '', 'Atlantis/Capital', 'Europe/Berlin ', '+01:00'],
      ['callConfig.timeZone', '', 'Atlantis/Capital', 'Europe/Berlin ', '+01:00'],
      ['features', Array(1_001).fill('x')],
    ];
    for (const [path, ...values] of outside) {
      for (const value of values) {
        expect(await create(workspace, { type: 'chat', ...nest({ [path]: value }) })).toEqual(
          invalid(`body.${path}`),
        );
      }
    }
    const within: [string, ...unknown[]][] = [
      ['llmConfig.temperature', 0, 2],
      ['llmConfig.maxTokens', 1],
      ['sttConfig.utterance_end_ms', 0],
      ['sttConfig.on_punctuation_second', 0],
      ['callConfig.idleReminders', [true, false], [0, -1.5]],
      ['deployment.version', 1, 1_000_000_000],
      ['name', 'x', 'x'.repeat(200), '😀'.repeat(200)],
      ['prompt', 'x'.repeat(100_000), '😀'.repeat(100_000)],
      ['timezone', 'America/Argentina/Buenos_Aires', 'Asia/Kolkata'],
      ['callConfig.timeZone', 'Etc/GMT+5'],
      ['features', Array(1_000).fill('x')],
    ];
    for (const [path, ...values] of within) {
      for (const value of values) {
        const id = await createAgent(workspace, nest({ [path]: value }));
        expect(flatten(await readAgent(workspace, id))[path]).toEqual(value);
      }
    }
  });

  test('names each item of a list that is not of its type or too long', async () => {
    const workspace = await parley.workspace();

    const created = await create(workspace, {
      type: 'chat',
      features: ['x', 5, 'x'.repeat(501), 'x'.repeat(500)],
      category: 'x'.repeat(201),
      sttConfig: { keywords: [null] },
    });

    expect(created).toEqual(
      invalid('body.features.1', 'body.features.2', 'body.category.0', 'body.sttConfig.keywords.0'),
    );
    expect((created.body as { errors: unknown[] }).errors).toContainEqual({
      field: 'body.features.1',
      message: 'each item of features must be a text of at most 500 characters',
    });
  });

  test('keeps its name without the white space around it', async () => {
    const workspace = await parley.workspace();

    const id = await createAgent(workspace, { name: ` \u00a0${'x'.repeat(200)}\n` });

    expect(await readAgent(workspace, id)).toMatchObject({ name: 'x'.repeat(200) });
  });

  test('keeps metaData as it is, for the runtime alone', async () => {
    const workspace = await parley.workspace();
    const metaData = {
      crm: { id: 7, tags: ['a', ['b', { c: null }]], empty: {}, none: [] },
      '': 'no name',
      'with.dot': 0.1,
      '{{guest}}': '{{guest}} 😀',
    };

    const id = await createAgent(workspace, { metaData, dynamic_variables: ['guest'] });
    const call = await new AgentCalls(workspace.api, id).start({ dynamic_variables: { guest: 'Ada' } });

    const { start } = await worker.findOffer(call);
    expect(start.agent.metaData).toEqual(metaData);
    expect(await readAgent(workspace, id)).not.toHaveProperty('metaData');
    // A name that could not be kept is refused rather than dropped.
    expect(await create(workspace, { type: 'chat', metaData: { crm: { valueOf: 1 } } })).toEqual(
      invalid('body.metaData.crm.valueOf'),
    );
  });

  test('takes 16 KB of metaData and no more', async () => {
    const workspace = await parley.workspace();
    const sized = (bytes: number) => ({ text: `é${'x'.repeat(bytes - 2 - '{"text":""}'.length)}` });

    await createAgent(workspace, { metaData: sized(16_384) });

    expect(await create(workspace, { type: 'chat', metaData: sized(16_385) })).toEqual(
      refused(400, 'Validation failed', {
        error_code: 'VALIDATION_FAILED',
        errors: [
          { field: 'body.metaData', message: 'metaData must not be larger than 16 KB as JSON in UTF-8' },
        ],
      }),
    );
  });
});
