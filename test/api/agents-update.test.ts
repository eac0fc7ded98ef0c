import { isDeepStrictEqual } from 'node:util';
import {
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
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const UNKNOWN_ID = '01890000-0000-7000-8000-000000000000';

describe('An agent', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  const put = ({ api }: TestWorkspace, id: string, body: object) =>
    outcome(api.put(`/api/agents/${id}`, body));

  /** Updates an agent, which must be accepted, and reads it again. */
  async function update(workspace: TestWorkspace, id: string, fields: object) {
    expect(await put(workspace, id, { type: 'outbound', ...fields })).toMatchObject({ status: 200 });
    return readAgent(workspace, id);
  }

  test('has at most a megabyte, in any order of changes', async () => {
    const workspace = await parley.workspace();
    const widest = '😀'.repeat(100_000);
    const id = await createAgent(workspace, { prompt: widest, localisedPrompt: widest });
    const tooLarge = refused(400, 'Validation failed', {
      error_code: 'AGENT_TOO_LARGE',
      errors: [
        {
          field: 'body',
          message:
            "the agent's texts and settings must not be larger than 1024 KB together, as JSON in UTF-8",
        },
      ],
    });
    const features = Array<string>(500).fill('é'.repeat(500));

    expect(await put(workspace, id, { type: 'outbound', features })).toEqual(tooLarge);
    expect((await readAgent(workspace, id)).features).toEqual([]);
    await update(workspace, id, { features: features.slice(0, 200) });

    // The agent is as an earlier release stored it.
    const metaData = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    await parley.sql(`UPDATE agents SET config = jsonb_set(config, '{metaData}', $1) WHERE id = $2`, [
      metaData,
      id,
    ]);
    expect(await put(workspace, id, { type: 'outbound', description: 'Longer' })).toEqual(tooLarge);
    expect(await update(workspace, id, { features: [] })).toMatchObject({ features: [] });
  });

  test('that is written as it is keeps the time of its last change', async () => {
    const workspace = await parley.workspace();
    const id = await createAgent(workspace, { prompt: 'As it is' });
    const before = await readAgent(workspace, id);

    expect(await update(workspace, id, { prompt: 'As it is' })).toEqual(before);
  });

  describe('read', () => {
    test('is an array of one', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace, EVERY_FIELD);

      expect(await outcome(workspace.api.get(`/api/agents/${id}`))).toEqual(
        succeeded('Agent', [
          {
            ...EVERY_FIELD,
            voiceConfig: { ...EVERY_FIELD.voiceConfig, model: 'sonic-2' },
            deployment: activeDeployment(7),
            _id: id,
            workspaceId: workspace.workspaceId,
            userId: workspace.userId,
            DND: true,
            countryName: 'Germany',
            widget: true,
            createdAt: expect.stringMatching(INSTANT),
            updatedAt: expect.stringMatching(INSTANT),
          },
        ]),
      );
    });

    test('derives its country from its time zone, its widget from its type and DND from its status', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const derived = async (fields: object) => {
        const { countryName, widget, DND } = await update(workspace, id, fields);
        return { countryName, widget, DND };
      };

      expect(await derived({ timezone: 'Asia/Kolkata', type: 'chat' })).toEqual({
        countryName: 'India',
        widget: true,
        DND: false,
      });
      expect(await derived({ timezone: 'UTC', type: 'inbound', status: false })).toEqual({
        countryName: '',
        widget: false,
        DND: true,
      });
    });

    test('is reached by a credential that names it, and by no other scoped one', async () => {
      const workspace = await parley.workspace();
      const [id, other] = [await createAgent(workspace), await createAgent(workspace)];
      const scoped = parley.scoped(workspace, `agent:${id}`);

      expect((await scoped.get(`/api/agents/${id}`)).body.data).toEqual([await readAgent(workspace, id)]);
      expect(await outcome(scoped.get(`/api/agents/${other}`))).toEqual(outOfScope());
      expect(await outcomeForStrangers(parley, (api) => api.get(`/api/agents/${id}`))).toEqual(
        unauthorized(),
      );
    });

    test('is not found by another workspace, nor by a malformed id', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const theirs = await createAgent(other);

      for (const id of [theirs, UNKNOWN_ID, 'unknown', '1', `${theirs}0`, "'", '%00', '%F0%9F%98%80']) {
        expect(await outcome(workspace.api.get(`/api/agents/${id}`))).toEqual(agentNotFound());
        expect(await put(workspace, id, { type: 'chat', name: 'Mine' })).toEqual(agentNotFound());
      }
      expect(await readAgent(other, theirs)).toMatchObject({ name: 'New outbound agent' });
    });

    test('is answered with a 500 when the server fails', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      await withoutTable(parley, 'agents', async () => {
        expect(await outcome(workspace.api.get(`/api/agents/${id}`))).toEqual(serverFailed());
        expect(await put(workspace, id, { type: 'chat' })).toEqual(serverFailed());
      });
    });
  });

  describe('updated', () => {
    test('is answered with a summary', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      const updated = await put(workspace, id, { ...EVERY_FIELD, workspaceId: workspace.workspaceId });

      const shown = await readAgent(workspace, id);
      expect(updated).toEqual(
        succeeded('Agent updated', {
          _id: id,
          workspaceId: workspace.workspaceId,
          userId: workspace.userId,
          name: 'Front desk',
          type: 'hybrid',
          category: ['sales', 'berlin'],
          description: 'Answers at the front desk.',
          voiceConfig: { provider: 'cartesia', model: 'sonic-2' },
          aiModel: { provider: 'anthropic', model: 'claude-sonnet' },
          llmConfig: { provider: 'mistral', model: 'small' },
          status: false,
          createdAt: shown.createdAt,
          updatedAt: shown.updatedAt,
        }),
      );
      expect(shown).toMatchObject(EVERY_FIELD);
      expect(Date.parse(shown.updatedAt)).toBeGreaterThan(Date.parse(shown.createdAt));
    });

    test('changes in each field alone, with a new version where the field matters to calls', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const cosmetic = [
        'category',
        'description',
        'image',
        'features',
        'popularity',
        'templateCategory',
        'industry',
        'recommendedActions',
        'status',
        'stats',
        'deployment',
        'knowledgeBases',
      ];
      const byField: Record<string, string[]> = {
        status: ['DND'],
        timezone: ['countryName'],
        type: ['widget'],
        'voiceConfig.provider': ['voiceConfig.model'],
      };
      const { 'deployment.version': _, ...fields } = flatten(EVERY_FIELD);
      let before = flatten(await readAgent(workspace, id));

      for (const [path, value] of Object.entries(fields)) {
        const after = flatten(await update(workspace, id, { type: before.type, ...nest({ [path]: value }) }));
        const handed = !cosmetic.includes(path.split('.')[0] as string);
        const version = (before['deployment.version'] as number) + (handed ? 1 : 0);
        expect({ path, value: after[path], version: after['deployment.version'] }).toEqual({
          path,
          value,
          version,
        });
        const consequences = [
          'updatedAt',
          'deployment.version',
          'deployment.deployedAt',
          'deployment.lastUpdated',
        ];
        const expected = [path, ...consequences, ...(byField[path] ?? [])];
        const changed = Object.keys(after).filter((key) => !isDeepStrictEqual(after[key], before[key]));
        expect(changed.filter((key) => !expected.includes(key))).toEqual([]);
        before = after;
      }
    });

    test('can be sent back as it was read, and stays as it was', async () => {
      const workspace = await parley.workspace();
      for (const id of [await createAgent(workspace), await createAgent(workspace, EVERY_FIELD)]) {
        const before = await readAgent(workspace, id);

        expect(await put(workspace, id, before)).toMatchObject({ status: 200 });

        expect(await readAgent(workspace, id)).toEqual(before);
      }
    });

    test('ignores the fields that are only read', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const before = await readAgent(workspace, id);

      const after = await update(workspace, id, {
        _id: UNKNOWN_ID,
        userId: 5,
        createdAt: 'never',
        updatedAt: null,
        DND: true,
        countryName: {},
        widget: 'yes',
        voiceConfig: { model: ['mine'] },
      });

      expect(after).toEqual(before);
    });

    test('merges objects field by field and replaces lists', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace, EVERY_FIELD);
      const before = await readAgent(workspace, id);

      const after = await update(workspace, id, {
        type: 'hybrid',
        voiceConfig: { speed: 1.2 },
        sttConfig: { keywords: [], keyterms: ['a', 'b'] },
        callConfig: { voicemailDetection: { enabled: false }, idleReminders: [false, 0] },
        secondaryLanguages: ['es'],
        aiModel: {},
      });

      expect(after).toEqual({
        ...before,
        voiceConfig: { ...before.voiceConfig, speed: 1.2 },
        sttConfig: { ...before.sttConfig, keywords: [], keyterms: ['a', 'b'] },
        callConfig: {
          ...before.callConfig,
          voicemailDetection: { enabled: false, type: 'message' },
          idleReminders: [false, 0],
        },
        secondaryLanguages: ['es'],
        deployment: activeDeployment(8),
        updatedAt: expect.stringMatching(INSTANT),
      });
    });

    test('takes a category as a text and as a list', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      expect((await update(workspace, id, { category: 'sales' })).category).toEqual(['sales']);
      expect((await update(workspace, id, { category: ['a', 'b'] })).category).toEqual(['a', 'b']);
      expect((await update(workspace, id, {})).category).toEqual(['a', 'b']);
      expect((await update(workspace, id, { category: [] })).category).toEqual([]);
    });

    test('is cleared by null where it may be null', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace, EVERY_FIELD);
      const nulls = Object.fromEntries(NULLABLE_FIELDS.map((path) => [path, null]));

      expect(flatten(await update(workspace, id, nest(nulls)))).toMatchObject(nulls);
    });

    test('sets the voice model by the voice provider, in answers and in call starts', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const calls = new AgentCalls(workspace.api, id);

      for (const [provider, model] of Object.entries({
        openai: 'gpt-4o-mini-tts',
        'our-own': '',
        constructor: '',
        elevenlabs: 'eleven_turbo_v2_5',
      })) {
        const { voiceConfig } = await update(workspace, id, { voiceConfig: { provider } });
        const { start } = await worker.findOffer(await calls.start());
        expect([voiceConfig, start.agent.voiceConfig]).toMatchObject([
          { provider, model },
          { provider, model },
        ]);
      }
    });

    test('requires its type', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      for (const body of [{}, { name: 'Desk' }, { type: null }, { type: 'voice' }, { _id: id }]) {
        expect(await put(workspace, id, body)).toEqual(invalid('body.type'));
      }
      expect(await outcome(workspace.api.put(`/api/agents/${id}`))).toEqual(invalid('body.type'));
      expect((await readAgent(workspace, id)).deployment.version).toBe(1);
    });

    test('names every property that it does not know', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const fields = { foo: 1, templateId: 'x', metaData: {}, llmConfig: { foo: 1 }, stats: { foo: 1 } };

      expect(await put(workspace, id, { type: 'chat', ...fields })).toEqual(
        invalid('body.foo', 'body.templateId', 'body.metaData', 'body.llmConfig.foo', 'body.stats.foo'),
      );
    });

    test('names every field of another type or out of its bounds, and changes nothing', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const before = await readAgent(workspace, id);
      const { workspaceId: _, ...fields } = WRITABLE_FIELDS;
      const paths = Object.keys(fields).map((path) => `body.${path}`);

      for (const round of [0, 1, 2, 3, 4]) {
        const wrong = Object.entries(fields).map(([path, kind]) => [path, kind.wrong[round]]);
        expect(await put(workspace, id, nest(Object.fromEntries(wrong)))).toEqual(invalid(...paths));
      }
      const objects = AGENT_OBJECTS.filter((path) => !path.includes('.'));
      for (const wrong of NO_OBJECTS) {
        const body = Object.fromEntries(objects.map((path) => [path, wrong]));
        expect(await put(workspace, id, { type: 'chat', ...body })).toEqual(
          invalid(...objects.map((path) => `body.${path}`)),
        );
      }
      const bounds: [string, unknown][] = [
        ['llmConfig.temperature', 2.01],
        ['llmConfig.temperature', -0.01],
        ['llmConfig.maxTokens', 0],
        ['sttConfig.utterance_end_ms', -1],
        ['sttConfig.on_punctuation_second', -0.01],
        ['callConfig.idleReminders', [1, 2, 3]],
        ['callConfig.limitCallDuration', [1]],
        ['deployment.status', 'live'],
      ];
      for (const [path, value] of bounds) {
        expect(
          await put(workspace, id, { type: 'chat', name: 'Changed', ...nest({ [path]: value }) }),
        ).toEqual(invalid(`body.${path}`));
      }
      expect(await readAgent(workspace, id)).toEqual(before);
    });

    test('accepts only the workspace of the credential', async () => {
      const [workspace, other] = await Promise.all([parley.workspace(), parley.workspace()]);
      const id = await createAgent(workspace);

      for (const workspaceId of [other.workspaceId, 'unknown', null]) {
        expect(await put(workspace, id, { type: 'chat', workspaceId })).toEqual(invalid('body.workspaceId'));
      }
    });

    test('does not find an unknown knowledge base', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      expect((await update(workspace, id, { knowledgeBases: [] })).knowledgeBases).toEqual([]);
      for (const knowledgeBase of [UNKNOWN_ID, 'unknown']) {
        expect(
          await put(workspace, id, { type: 'chat', name: 'X', knowledgeBases: [knowledgeBase] }),
        ).toEqual(refused(404, 'Knowledge base not found', { error_code: 'KNOWLEDGE_BASE_NOT_FOUND' }));
      }
      expect(await readAgent(workspace, id)).toMatchObject({ type: 'outbound', name: 'New outbound agent' });
    });

    test('requires a credential of the whole workspace', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);

      expect(
        await outcomeForStrangers(parley, (api) => api.put(`/api/agents/${id}`, { type: 'chat' })),
      ).toEqual(unauthorized());
      const scoped = parley.scoped(workspace, `agent:${id}`);
      expect(await outcome(scoped.put(`/api/agents/${id}`, { type: 'chat' }))).toEqual(outOfScope());
    });

    test('keeps both of two changes at once', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const { voiceConfig, name, status, category } = EVERY_FIELD;
      const fields = Object.entries(flatten({ voiceConfig, name, status, category }));

      const answers = await Promise.all(
        fields.map(([path, value]) => put(workspace, id, { type: 'outbound', ...nest({ [path]: value }) })),
      );

      expect(answers.every(({ status }) => status === 200)).toBe(true);
      const agent = await readAgent(workspace, id);
      expect(flatten(agent)).toMatchObject(Object.fromEntries(fields));
    });
  });

  describe("'s deployment", () => {
    test('never goes back to an earlier version', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const versionAfter = async (fields: object) =>
        (await update(workspace, id, fields)).deployment.version as number;

      expect(await versionAfter({ deployment: { version: 5 } })).toBe(5);
      expect(await versionAfter({ deployment: { version: 3 } })).toBe(5);
      expect(await versionAfter({ deployment: { version: 5 }, greeting: 'Hi' })).toBe(6);
      expect(await versionAfter({ deployment: { version: 1 }, greeting: 'Hello' })).toBe(7);
      expect(await versionAfter({ deployment: { version: 1_000_000_000 } })).toBe(1_000_000_000);
      expect(await versionAfter({ greeting: 'Good day' })).toBe(1_000_000_001);
    });

    test('is active since its newest version was made, whatever a client sends', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const first = (await readAgent(workspace, id)).deployment;

      const sent = { status: 'failed', deployedAt: null, error: 'No worker took it.' };
      const kept = await update(workspace, id, { deployment: { ...first, ...sent } });
      const { deployment: second } = await update(workspace, id, { greeting: 'Hi', deployment: sent });

      expect(kept.deployment).toEqual(first);
      expect(second).toEqual({ ...activeDeployment(2), deployedAt: second.lastUpdated });
      expect(Date.parse(second.deployedAt)).toBeGreaterThan(Date.parse(first.deployedAt));
    });

    test('takes times at the ends of the calendar and in any zone', async () => {
      const workspace = await parley.workspace();
      const id = await createAgent(workspace);
      const times = {
        '0001-01-01T00:00:00.000Z': '0001-01-01T00:00:00.000Z',
        '9999-12-31T23:59:59.999Z': '9999-12-31T23:59:59.999Z',
        '2026-01-31T09:30:00.123456+05:30': '2026-01-31T04:00:00.123Z',
        '2026-01-31': '2026-01-31T00:00:00.000Z',
        '2026-01-31T09:30': '2026-01-31T09:30:00.000Z',
      };
      for (const [given, shown] of Object.entries(times)) {
        const { stats } = await update(workspace, id, { stats: { lastCallAt: given } });
        expect({ given, shown: stats.lastCallAt }).toEqual({ given, shown });
      }
      for (const given of ['0001-01-01T00:00:00+01:00', '9999-12-31T23:59:59-01:00']) {
        const fields = { deployment: { deployedAt: given }, stats: { lastCallAt: given } };
        expect(await put(workspace, id, { type: 'chat', ...fields })).toEqual(
          invalid('body.deployment.deployedAt', 'body.stats.lastCallAt'),
        );
      }
    });
  });

  describe("'s statistics", () => {
    test('are those that a client wrote until calls have ended, then those of the calls', async () => {
      const workspace = await parley.workspace();
      const written = {
        totalCalls: 8,
        successRate: 0.5,
        avgCallDuration: 61.5,
        lastCallAt: '2026-01-04T03:04:05.678Z',
      };
      const id = await createAgent(workspace, { stats: written });
      const stats = async () => (await readAgent(workspace, id)).stats;
      const calls = new AgentCalls(workspace.api, id);

      expect(await stats()).toEqual(written);
      expect((await update(workspace, id, { stats: { totalCalls: 9 } })).stats).toEqual({
        ...written,
        totalCalls: 9,
      });

      const call = await calls.start();
      const taken = await (await worker.findOffer(call)).take();
      await taken.failed();
      const { ended_at } = await calls.reached(call, 'failed');
      const real = { totalCalls: 1, successRate: 0, avgCallDuration: 0, lastCallAt: ended_at as string };
      expect(await stats()).toEqual(real);

      const before = await readAgent(workspace, id);
      expect(await update(workspace, id, before)).toEqual(before);
      expect((await update(workspace, id, { stats: written })).stats).toEqual(real);
    });
  });
});
