import { randomUUID } from 'node:crypto';
import { migrate } from '../../src/platform/database/migrate';
import { createAgent, readAgent } from '../support/agents';
import {
  invalid,
  type Outcome,
  outcome,
  outcomeForStrangers,
  outOfScope,
  refused,
  unauthorized,
} from '../support/answers';
import type { ApiClient } from '../support/client';
import { withKey } from '../support/keyed-requests';
import { createDatabase } from '../support/database';
import { createKnowledgeBase } from '../support/knowledge-bases';
import { ToolServer, toSchema } from '../support/mcp-server';
import { connectTo, migrateUntil } from '../support/migrations';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { randomAgent } from '../support/random-agents';
import { useStarted } from '../support/use-started';

type Kind = 'agent' | 'rehearsal' | 'tool';
type Definition = Record<string, unknown>;

interface Resource {
  kind: Kind;
  slug: string;
  id: string;
  revision: string;
  definition: Definition;
  updated_at: string;
  updated_by: object | null;
}

interface Wanted {
  kind: Kind;
  slug: string;
  base: string | null;
  definition: Definition | null;
}

interface Change {
  kind: Kind;
  slug: string;
  action: string;
  fields: string[];
  revision: string | null;
}

const URL = 'https://shop.example.com/bookings';

const agent = (slug: string, fields: Definition = {}, base: string | null = null): Wanted => ({
  ...{ kind: 'agent', slug, base },
  definition: { type: 'inbound', ...fields },
});
const tool = (slug: string, fields: Definition = {}, base: string | null = null): Wanted => ({
  ...{ kind: 'tool', slug, base },
  definition: { description: 'Books a table.', url: URL, ...fields },
});
const rehearsal = (slug: string, fields: Definition = {}, base: string | null = null): Wanted => ({
  ...{ kind: 'rehearsal', slug, base },
  definition: { person: { lines: [] }, checks: [{ turns: 3 }], ...fields },
});

describe('Agents, rehearsals and tools as code', () => {
  const parley = useOwnParley({ ROLES: 'http', ALLOW_PRIVATE_ADDRESSES: 'true' });
  const server = useStarted(() => ToolServer.start());
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await parley.workspace();
  });

  async function list({ api }: { api: ApiClient } = workspace, query = ''): Promise<Resource[]> {
    const resources: Resource[] = [];
    for (let page = 1; ; page += 1) {
      const { status, body } = await api.get(`/api/code?limit=100&page=${page}${query}`);
      expect(status).toBe(200);
      resources.push(...(body.data as Resource[]));
      if (!(body as { pagination: { hasNextPage: boolean } }).pagination.hasNextPage) return resources;
    }
  }
  const find = async (slug: string, owner = workspace) =>
    (await list(owner)).find((each) => each.slug === slug) as Resource;
  const post = (resources: Wanted[], { api }: { api: ApiClient } = workspace, options: object = {}) =>
    api.post('/api/code', { ...options, resources });
  async function apply(resources: Wanted[], owner = workspace, options: object = {}): Promise<Change[]> {
    const answer = await post(resources, owner, options);
    expect({ errors: [], ...answer.body }).toMatchObject({ status: 200, errors: [] });
    return answer.body.data.changes as Change[];
  }
  const actions = (changes: Change[]) => changes.map(({ slug, action }) => `${action} ${slug}`);
  const asWanted = ({ kind, slug, revision, definition }: Resource): Wanted => ({
    ...{ kind, slug, definition, base: revision },
  });
  const drifted = (...fields: string[]): Outcome =>
    refused(409, 'The resources have changed', {
      ...{ error_code: 'CODE_DRIFT', error: { details: expect.any(String) as string } },
      errors: fields.map((field) => ({ field, message: expect.any(String) as string })),
    });
  const audit = async () =>
    (await workspace.api.get('/api/audit?limit=100')).body.data as {
      action: string;
      target: { id: string | null; name: string | null };
      details: Record<string, unknown>;
      request_id: string;
    }[];

  describe('An agent', () => {
    test('has a slug of its first name, which is unique and never changes', async () => {
      const names = ['Front desk', 'Front desk', 'Zoë & Söhne!', '東京', 'front-desk-2', 'A'.repeat(200)];
      const ids: string[] = [];
      for (const name of names) ids.push(await createAgent(workspace, { name }));
      const slugOf = async (id: string) => (await list()).find((each) => each.id === id)?.slug;

      const slugs = await Promise.all(ids.map(slugOf));
      expect(slugs).toEqual([
        ...['front-desk', 'front-desk-2', 'zoe-sohne', 'agent', 'front-desk-2-2', 'a'.repeat(50)],
      ]);
      await workspace.api.put(`/api/agents/${ids[0]}`, { type: 'outbound', name: 'Reception' });
      expect(await slugOf(ids[0] as string)).toBe('front-desk');
    });

    test('gets a slug of its own when others of the name are created at the same time', async () => {
      await Promise.all(Array.from({ length: 8 }, () => createAgent(workspace, { name: 'Same' })));

      const slugs = (await list()).map(({ slug }) => slug);
      expect(slugs.sort()).toEqual([
        'same',
        'same-2',
        'same-3',
        'same-4',
        'same-5',
        'same-6',
        'same-7',
        'same-8',
      ]);
    });

    test('leaves its slug to others when it is deleted, and shares it with other workspaces', async () => {
      const first = await createAgent(workspace, { name: 'Desk' });
      await createAgent(await parley.workspace(), { name: 'Desk' });
      await workspace.api.delete(`/api/agents/${first}`);

      const second = await createAgent(workspace, { name: 'Desk' });
      expect((await list()).map(({ slug, id }) => [slug, id])).toEqual([['desk', second]]);
    });

    test('that another release inserts has a slug, too', async () => {
      const id = await createAgent(workspace, { name: 'Desk' });
      await parley.sql(
        `INSERT INTO agents (id, workspace_id, user_id, name, type, config, deployment_last_updated)
         SELECT gen_random_uuid(), workspace_id, user_id, name, type, config, now() FROM agents WHERE id = $1`,
        [id],
      );

      expect((await list()).map(({ slug }) => slug)).toEqual(['desk', 'desk-2']);
    });

    test('is shown by what is not the default, with the names of its knowledge bases', async () => {
      const faq = await createKnowledgeBase(workspace, { fields: { name: 'Questions' } });
      const before = Date.now();
      const id = await createAgent(workspace, {
        ...{ name: 'Desk', type: 'chat', knowledgeBases: [faq], llmConfig: { temperature: 0 } },
        ...{ metaData: { a: { b: 1 } }, voiceConfig: { provider: 'cartesia' } },
      });

      const [shown] = await list();
      expect(shown).toEqual({
        ...{ kind: 'agent', slug: 'desk', id, revision: expect.stringMatching(/^[\da-f]{32}$/) as string },
        definition: {
          ...{ type: 'chat', name: 'Desk', voiceConfig: { provider: 'cartesia' } },
          ...{ llmConfig: { temperature: 0 }, metaData: { a: { b: 1 } }, knowledge: ['Questions'] },
        },
        updated_at: expect.any(String) as string,
        updated_by: expect.objectContaining({ kind: 'key' }) as object,
      });
      expect(Date.parse(shown?.updated_at as string)).toBeGreaterThanOrEqual(before - 1_000);
      const fresh = await parley.workspace();
      await createAgent(fresh, { type: 'hybrid' });
      expect((await list(fresh))[0]?.definition).toEqual({ type: 'hybrid' });
    });

    test('has another revision exactly if its definition has changed', async () => {
      const id = await createAgent(workspace, { type: 'inbound', name: 'Desk' });
      const put = (fields: object) => workspace.api.put(`/api/agents/${id}`, { type: 'inbound', ...fields });
      const revision = async () => (await find('desk')).revision;
      const first = await revision();

      await put({ stats: { totalCalls: 3 }, deployment: { status: 'active' } });
      expect(await revision()).toBe(first);
      await put({ greeting: 'Good day!' });
      const second = await revision();
      expect(second).not.toBe(first);
      await workspace.api.put(`/api/agents/${id}/analysis`, {
        fields: [],
        criteria: [{ name: 'polite', text: 'It was polite.' }],
      });
      expect(await revision()).not.toBe(second);
      await workspace.api.put(`/api/agents/${id}/analysis`, { fields: [], criteria: [] });
      expect(await revision()).toBe(second);
      await put({ greeting: 'Hello, how can I help you today?' });
      expect(await revision()).toBe(first);
    });
  });

  /** A workspace with many agents, tools and rehearsals. */
  async function fill(owner: TestWorkspace, count: number): Promise<void> {
    await createKnowledgeBase(owner, { fields: { name: 'Questions' } });
    await createKnowledgeBase(owner, { fields: { name: 'Prices' } });
    const tools = [
      tool('book_table', {
        ...{ secrets: { API_KEY: 'secret', OTHER: 'x' }, method: 'PUT', once_by: [], timeout_ms: 900 },
        ...{ headers: { Authorization: '{{secret:API_KEY}}' }, fixed: { a: 'b' }, results: [] },
        parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
      }),
      tool('read_only', { method: 'GET', confirm: true, say: 'One moment.', mode: 'background' }),
      tool('plain'),
      tool('explicit', { kind: 'http', method: 'GET', effect: 'read', idempotent: false, parameters: {} }),
    ];
    await apply(tools, owner);
    const agents = Array.from({ length: count }, (_, index) =>
      agent(`agent-${index}`, randomAgent(index, ['Prices', 'Questions'], ['plain', 'book_table'])),
    );
    const rehearsals = [
      rehearsal('agent-0/first', {
        enabled: false,
        situation: { variables: { city: 'Bonn' }, now: '2026-06-15' },
      }),
      rehearsal('agent-0/second', { tools: [{ name: 'plain', answer: { ok: [1, 2.5e-7, null] } }] }),
      rehearsal('agent-1/first', { person: { lines: [{ on: 'x', say: 'y', times: 1 }] } }),
    ];
    const all = [...rehearsals, ...agents];
    for (let at = 0; at < all.length; at += 100) {
      // The agents of the rehearsals are in the first part.
      const part = all.slice(at, at + 100);
      expect(new Set((await apply(part, owner)).map(({ action }) => action))).toEqual(new Set(['create']));
    }
  }

  test('are unchanged by their own definitions, and make the same in another workspace', async () => {
    await fill(workspace, 120);
    const resources = await list();
    expect(resources).toHaveLength(127);
    const kinds = resources.map(({ kind, slug }) => `${kind} ${slug}`);
    expect(kinds).toEqual([...kinds].sort());
    expect(await list(workspace, '&kind=tool')).toEqual(resources.filter(({ kind }) => kind === 'tool'));
    const versions = await parley.sql('SELECT count(*)::int AS count FROM agent_versions');
    const entries = (await audit()).length;

    for (const base of ['kept', 'null', 'wrong'])
      for (let at = 0; at < resources.length; at += 100) {
        const wanted = resources.slice(at, at + 100).map(asWanted);
        const given = wanted.map((each) => ({
          ...each,
          ...(base !== 'kept' && { base: base === 'null' ? null : base }),
        }));
        const changes = await apply(given);
        expect(new Set(changes.map(({ action }) => action))).toEqual(new Set(['none']));
        expect(changes.map(({ revision }) => revision)).toEqual(wanted.map((each) => each.base));
        expect(changes.flatMap(({ fields }) => fields)).toEqual([]);
      }
    expect(await list()).toEqual(resources);
    expect(await parley.sql('SELECT count(*)::int AS count FROM agent_versions')).toEqual(versions);
    expect(await audit()).toHaveLength(entries);

    const other = await parley.workspace();
    await createKnowledgeBase(other, { fields: { name: 'prices' } });
    await createKnowledgeBase(other, { fields: { name: 'Questions' } });
    const moved = resources.map((each) => ({
      ...{ kind: each.kind, slug: each.slug, base: null },
      definition: {
        ...each.definition,
        ...(each.slug === 'book_table' && { secrets: { API_KEY: 'other', OTHER: 'other' } }),
      },
    }));
    // Agents of the other workspace have the spelling of its knowledge base.
    const shown = ({ definition }: Resource) => JSON.stringify(definition).replaceAll('"prices"', '"Prices"');
    const [first, rest] = [moved.slice(20, 120), [...moved.slice(0, 20), ...moved.slice(120)]];
    const ofLater = first.filter(({ kind }) => kind === 'rehearsal');
    await apply(
      first.filter((each) => !ofLater.includes(each)),
      other,
    );
    await apply([...ofLater, ...rest], other);
    const copied = await list(other);
    expect(copied.map(shown)).toEqual(resources.map(shown));
    expect(copied.map(({ slug }) => slug)).toEqual(resources.map(({ slug }) => slug));
    const ids = new Set(resources.map(({ id }) => id));
    expect(copied.filter(({ id }) => ids.has(id))).toEqual([]);
  });

  test('are created together, in any order, and changed and deleted so', async () => {
    const created = await apply([
      rehearsal('desk/hours'),
      agent('desk', { name: 'Front desk', actions: ['book_table'] }),
      tool('book_table'),
    ]);
    expect(actions(created)).toEqual(['create desk/hours', 'create desk', 'create book_table']);
    expect(created[1]?.fields.sort()).toEqual(['actions', 'name', 'type']);
    const { id } = await find('desk');
    const { body } = await workspace.api.get(`/api/agents/${id}/versions/1`);
    expect(body.data.tools).toMatchObject([{ name: 'book_table' }]);
    const [hours] = (await workspace.api.get(`/api/agents/${id}/rehearsals`)).body.data as object[];
    expect(hours).toMatchObject({ name: 'hours', enabled: true });

    const revisions = Object.fromEntries((await list()).map(({ slug, revision }) => [slug, revision]));
    const changed = await apply([
      { ...tool('book_table'), base: revisions.book_table as string, definition: null },
      agent('desk', { name: 'Front desk', greeting: 'Hi.' }, revisions.desk),
      { ...rehearsal('desk/hours'), base: revisions['desk/hours'] as string, definition: null },
      rehearsal('desk/prices'),
    ]);
    expect(actions(changed)).toEqual([
      ...['delete book_table', 'update desk', 'delete desk/hours', 'create desk/prices'],
    ]);
    expect(changed[1]).toMatchObject({
      fields: ['actions', 'greeting'],
      revision: (await find('desk')).revision,
    });
    expect(changed[0]).toMatchObject({ fields: [], revision: null });
    expect((await list()).map(({ slug }) => slug)).toEqual(['desk', 'desk/prices']);
    const whole = await readAgent(workspace, id);
    expect(whole).toMatchObject({ greeting: 'Hi.', actions: [], name: 'Front desk' });

    const gone = { ...agent('desk'), base: (await find('desk')).revision, definition: null };
    const all = [
      gone,
      { ...rehearsal('desk/prices'), base: (await find('desk/prices')).revision, definition: null },
    ];
    expect(actions(await apply(all))).toEqual(['delete desk', 'delete desk/prices']);
    expect(actions(await apply(all))).toEqual(['none desk', 'none desk/prices']);
    expect((await workspace.api.get(`/api/agents/${id}`)).status).toBe(404);
    expect(actions(await apply([agent('desk')]))).toEqual(['create desk']);
  });

  test('get the versions and the entries of the audit that their own operations give them', async () => {
    await apply([agent('desk', { name: 'Desk' }), tool('book_table'), rehearsal('desk/hours')]);
    const { id, revision } = await find('desk');
    const criteria = [{ name: 'polite', text: 'It was polite.' }];
    await apply([agent('desk', { name: 'Desk', prompt: 'New.', analysis: { criteria } }, revision)]);
    await apply([
      agent(
        'desk',
        { ...{ name: 'Desk', prompt: 'New.', analysis: { criteria } }, description: 'For lists.' },
        (await find('desk')).revision,
      ),
    ]);

    const { data: versions } = (await workspace.api.get(`/api/agents/${id}/versions`)).body as {
      data: { version: number }[];
    };
    expect(versions.map(({ version }) => version)).toEqual([2, 1]);
    const [described, ofDescribed, changed, ofChanged, ...created] = (await audit())
      .reverse()
      .slice(-8)
      .reverse();
    expect(described).toMatchObject({
      ...{ action: 'code.applied', target: { id: null } },
      details: { created: 0, updated: 1, deleted: 0 },
    });
    expect(ofDescribed).toMatchObject({
      action: 'agent.updated',
      details: { changed: ['description'], version: 2 },
    });
    expect(changed?.request_id).toBe(ofChanged?.request_id);
    expect(ofChanged).toMatchObject({
      ...{ action: 'agent.updated', target: { id, name: 'Desk' } },
      details: { changed: ['prompt', 'analysis.criteria'], version: 2, previous_version: 1 },
    });
    expect(created.map(({ action }) => action)).toEqual([
      ...['code.applied', 'rehearsal.created', 'agent.created', 'tool.created'],
    ]);
    expect(created[0]?.details).toEqual({ created: 3, updated: 0, deleted: 0 });
    expect(created[2]?.details).toEqual({ type: 'inbound' });
  });

  test('that have changed since they were read are left alone, with all others of the request', async () => {
    await apply([agent('desk', { name: 'Desk' }), agent('bar'), tool('book_table')]);
    const [bar, desk, booking] = (await list()) as [Resource, Resource, Resource];
    await workspace.api.put(`/api/agents/${desk.id}`, { type: 'inbound', greeting: 'Hi.' });
    await workspace.api.delete(`/api/tools/${booking.id}`);
    const wanted = [
      agent('bar', { greeting: 'Ahoy.' }, bar.revision),
      agent('desk', { name: 'Desk', greeting: 'Hello.' }, desk.revision),
      tool('book_table', { say: 'One moment.' }, booking.revision),
      agent('new', {}, bar.revision),
      { ...agent('desk-9'), base: desk.revision, definition: null },
    ];
    const before = await list();

    const answer = await outcome(post(wanted));
    expect(answer).toEqual(
      drifted('body.resources.1.base', 'body.resources.2.base', 'body.resources.3.base'),
    );
    expect(await list()).toEqual(before);
    const dry = await post(wanted, workspace, { dry_run: true });
    expect(dry.status).toBe(200);
    expect(actions(dry.body.data.changes as Change[])).toEqual(['update bar', 'none desk-9']);
    expect(dry.body.data.drift).toEqual([
      { ...{ kind: 'agent', slug: 'desk', base: desk.revision }, revision: (await find('desk')).revision },
      { ...{ kind: 'tool', slug: 'book_table', base: booking.revision }, revision: null },
      { ...{ kind: 'agent', slug: 'new', base: bar.revision }, revision: null },
    ]);
    expect(await outcome(post([agent('bar')]))).toMatchObject({ status: 200 });
    expect(await outcome(post([agent('bar', { greeting: 'Ahoy.' })]))).toEqual(
      drifted('body.resources.0.base'),
    );
    expect(await list()).toEqual(before);
  });

  test('are applied by one of two who do it at the same time', async () => {
    await apply([agent('desk'), agent('bar'), tool('book_table'), tool('pay')]);
    for (let round = 0; round < 5; round += 1) {
      const revisions = Object.fromEntries((await list()).map(({ slug, revision }) => [slug, revision]));
      const wanted = (by: number) => {
        const fields = { actions: ['pay', 'book_table'], greeting: `${round} ${by}` };
        const resources = [
          agent('desk', fields, revisions.desk),
          tool('book_table', { say: `${round} ${by}` }, revisions.book_table),
          agent('bar', fields, revisions.bar),
          tool('pay', { say: `${round} ${by}` }, revisions.pay),
          rehearsal(`desk/round-${round}`, { checks: [{ turns: by }] }),
          agent(`new-${round}`, { greeting: `${by}` }),
        ];
        return by % 2 === 0 ? resources : resources.reverse();
      };

      const answers = await Promise.all([1, 2, 3, 4].map((by) => post(wanted(by))));

      expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
      const lost = answers.filter(({ status }) => status === 409);
      expect(new Set(lost.map(({ body }) => body.error_code as string))).toEqual(new Set(['CODE_DRIFT']));
      const won = 1 + answers.findIndex(({ status }) => status === 200);
      const now = Object.fromEntries((await list()).map(({ slug, definition }) => [slug, definition]));
      expect(now.desk).toMatchObject({ greeting: `${round} ${won}` });
      expect(now.bar).toMatchObject({ greeting: `${round} ${won}` });
      expect(now.pay).toMatchObject({ say: `${round} ${won}` });
      expect(now[`desk/round-${round}`]).toMatchObject({ checks: [{ turns: won }] });
      expect(now[`new-${round}`]).toMatchObject({ greeting: `${won}` });
    }
  });

  test('are not applied in part beside those who change them by their own operations', async () => {
    await apply([
      agent('desk', { actions: ['book_table'] }),
      agent('bar', { actions: ['book_table'] }),
      tool('book_table'),
    ]);
    const [bar, desk] = (await list()) as [Resource, Resource];
    const put = (id: string, greeting: string) =>
      workspace.api.put(`/api/agents/${id}`, { type: 'inbound', greeting });
    const applied = async (round: number) => {
      const revisions = Object.fromEntries((await list()).map(({ slug, revision }) => [slug, revision]));
      return post([
        agent('desk', { prompt: `p ${round}` }, revisions.desk),
        tool('book_table', { say: `s ${round}` }, revisions.book_table),
        agent('bar', { prompt: `p ${round}` }, revisions.bar),
      ]);
    };
    const number = (agentId: string) =>
      workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: '+15551239876' });

    const statuses = new Set<number>();
    for (let round = 0; round < 10; round += 1) {
      const answers = await Promise.all([
        ...[
          applied(round),
          put(bar.id, `b ${round}`),
          put(desk.id, `d ${round}`),
          number(bar.id),
          number(desk.id),
        ],
        createAgent(workspace, { actions: ['book_table'] }),
      ]);
      for (const answer of answers) if (typeof answer !== 'string') statuses.add(answer.status);
    }

    expect([...statuses].filter((status) => ![200, 409].includes(status))).toEqual([]);
    await parley.sql('SELECT pg_stat_force_next_flush()');
    const found = await parley.sql(
      'SELECT deadlocks::int FROM pg_stat_database WHERE datname = current_database()',
    );
    expect(found).toEqual([{ deadlocks: 0 }]);
  });

  const large = (kilobytes: number) =>
    Object.fromEntries(Array.from({ length: kilobytes }, (_, index) => [`v${index}`, 'x'.repeat(1_000)]));

  test.each<[string, Wanted, Outcome]>([
    ['an unknown kind', { ...agent('x'), kind: 'campaign' as Kind }, invalid('body.resources.1.kind')],
    ['a slug in capitals', agent('Desk'), invalid('body.resources.1.slug')],
    ['a slug of 61 characters', agent('a'.repeat(61)), invalid('body.resources.1.slug')],
    ['a rehearsal without an agent', rehearsal('hours'), invalid('body.resources.1.slug')],
    [
      'a rehearsal of an agent that does not exist',
      rehearsal('none/hours'),
      invalid('body.resources.1.slug'),
    ],
    ['a tool with a hyphen', tool('book-table'), invalid('body.resources.1.slug')],
    ['the same one twice', agent('first'), invalid('body.resources.1.slug')],
    ['no base', { ...agent('x'), base: undefined as never }, invalid('body.resources.1.base')],
    [
      'no definition',
      { ...agent('x'), definition: undefined as never },
      invalid('body.resources.1.definition'),
    ],
    ['a list', { ...agent('x'), definition: [] as never }, invalid('body.resources.1.definition')],
    [
      'an agent without a type',
      { ...agent('x'), definition: {} },
      invalid('body.resources.1.definition.type'),
    ],
    ['an unknown field', agent('x', { prompts: 'x' }), invalid('body.resources.1.definition.prompts')],
    ['its deployment', agent('x', { deployment: {} }), invalid('body.resources.1.definition.deployment')],
    ['a workspace', agent('x', { workspaceId: 'x' }), invalid('body.resources.1.definition.workspaceId')],
    ['ids', agent('x', { knowledgeBases: [] }), invalid('body.resources.1.definition.knowledgeBases')],
    [
      'a nested field out of its bounds',
      agent('x', { llmConfig: { temperature: 3 } }),
      invalid('body.resources.1.definition.llmConfig.temperature'),
    ],
    [
      'an unknown knowledge base',
      agent('x', { knowledge: ['None'] }),
      invalid('body.resources.1.definition.knowledge.0'),
    ],
    [
      'a wrong analysis',
      agent('x', {
        analysis: { fields: [{ name: 'x', type: 'string', description: 'x', from: 'regex:(' }] },
      }),
      invalid('body.resources.1.definition.analysis.fields.0.from'),
    ],
    [
      'a number that cannot be called',
      agent('x', { actions: ['sales tel:+12345678'] }),
      invalid('body.resources.1.definition.actions.0'),
    ],
    ['another name', tool('x', { name: 'y' }), invalid('body.resources.1.definition.name')],
    ['no address', tool('x', { url: 'nowhere' }), invalid('body.resources.1.definition.url')],
    [
      'a parameter that is none',
      tool('x', { once_by: ['y'] }),
      invalid('body.resources.1.definition.once_by.0'),
    ],
    ['secrets that are none', tool('x', { secrets: 'key' }), invalid('body.resources.1.definition.secrets')],
    [
      'a secret without a value',
      tool('x', { secrets: ['KEY'] }),
      invalid('body.resources.1.definition.secrets.0'),
    ],
    [
      'a secret with a wrong name',
      tool('x', { secrets: { '-': 'x' } }),
      invalid('body.resources.1.definition.secrets.-'),
    ],
    [
      'a rehearsal without checks',
      rehearsal('first/x', { checks: [] }),
      invalid('body.resources.1.definition.checks'),
    ],
    [
      'another name of a rehearsal',
      rehearsal('first/x', { name: 'y' }),
      invalid('body.resources.1.definition.name'),
    ],
    [
      'a pattern that is none',
      rehearsal('first/x', { checks: [{ said: '(' }] }),
      invalid('body.resources.1.definition.checks.0.said'),
    ],
    [
      'a rehearsal of more than 64 KB',
      rehearsal('first/x', { situation: { variables: large(66) } }),
      invalid('body.resources.1.definition'),
    ],
  ])('are all refused with %s', async (_, wanted, expected) => {
    const all = [agent('first'), wanted, tool('last')];

    expect(await outcome(post(all, workspace, { dry_run: true }))).toEqual(expected);
    expect(await outcome(post(all))).toEqual(expected);
    expect(await list()).toEqual([]);
  });

  test('name all definitions that are not valid', async () => {
    expect(await outcome(post([agent('a', { type: 'x' }), tool('b'), tool('c', { url: 1 })]))).toEqual(
      invalid('body.resources.0.definition.type', 'body.resources.2.definition.url'),
    );
    const many = Array.from({ length: 101 }, (_, index) => agent(`a-${index}`));
    expect(await outcome(post(many))).toEqual(invalid('body.resources'));
  });

  test('have the limits of their own operations', async () => {
    const reached = (code: string) =>
      expect.objectContaining({
        status: 403,
        body: expect.objectContaining({ error_code: code }) as object,
      }) as Outcome;
    await apply([agent('desk')]);
    const { id } = await find('desk');
    await parley.sql(
      `INSERT INTO rehearsals (id, workspace_id, agent_id, name, enabled, definition)
       SELECT gen_random_uuid(), $1, $2, 'full-' || number, true, '{"person": {"lines": []}, "situation": {}, "tools": [], "checks": []}'
       FROM generate_series(1, 199) AS number`,
      [workspace.workspaceId, id],
    );
    const two = [rehearsal('desk/a'), rehearsal('desk/b')];
    expect(await outcome(post(two))).toEqual(reached('REHEARSALS_LIMIT_REACHED'));
    const full = await find('desk/full-1');
    expect(actions(await apply([...two, { ...asWanted(full), definition: null }]))).toHaveLength(3);

    await parley.sql('UPDATE workspaces SET quotas_agents = 2 WHERE id = $1', [workspace.workspaceId]);
    const agents = [agent('second'), agent('third')];
    expect(await outcome(post(agents))).toEqual(reached('AGENTS_QUOTA_REACHED'));
    expect(await outcome(post(agents, workspace, { dry_run: true }))).toEqual(
      reached('AGENTS_QUOTA_REACHED'),
    );
    expect((await post([agent('second')])).status).toBe(200);
    const unsubscribed = await parley.workspace({ subscribed: false });
    expect(await outcome(post([agent('desk')], unsubscribed))).toEqual(reached('NO_ACTIVE_SUBSCRIPTION'));
    expect((await post([tool('book_table')], unsubscribed)).status).toBe(200);
  });

  test('are only compared by a dry run, which a credential that only reads may send', async () => {
    await fill(workspace, 3);
    const before = await list();
    const rows = () =>
      parley.sql(
        `SELECT (SELECT jsonb_agg(to_jsonb(a) ORDER BY id) FROM agents a) AS agents, (SELECT jsonb_agg(to_jsonb(t) ORDER BY id) FROM tools t) AS tools,
           (SELECT count(*) FROM agent_versions) AS versions, (SELECT count(*) FROM audit_entries) AS entries`,
      );
    const stored = await rows();
    const wanted = [
      { ...asWanted(await find('plain')), definition: null },
      agent('agent-0', { type: 'chat' }, (await find('agent-0')).revision),
      rehearsal('new/hours'),
      agent('new'),
      tool('book_table', { secrets: ['API_KEY', 'OTHER'] }, (await find('book_table')).revision),
    ];
    const reader = { api: parley.scoped(workspace, 'read') };

    const dry = await post(wanted, reader, { dry_run: true });

    expect(dry.status).toBe(200);
    expect(actions(dry.body.data.changes as Change[])).toEqual([
      ...['delete plain', 'update agent-0', 'create new/hours', 'create new', 'update book_table'],
    ]);
    expect(await list()).toEqual(before);
    expect(await rows()).toEqual(stored);
    expect(await outcome(post(wanted, reader))).toEqual(outOfScope());
    expect(await outcome(post(wanted, { api: parley.scoped(workspace, 'operate') }))).toEqual(outOfScope());
    expect(await list(reader)).toEqual(before);
    const ofAgent = parley.scoped(workspace, `agent:${(await find('agent-0')).id}`);
    expect(await outcome(ofAgent.get('/api/code'))).toEqual(outOfScope());
    expect(await outcome(post([], { api: ofAgent }, { dry_run: true }))).toEqual(outOfScope());
    expect(await outcomeForStrangers(parley, (stranger) => stranger.get('/api/code'))).toEqual(
      unauthorized(),
    );
    const applied = await apply(wanted);
    expect(applied).toEqual(dry.body.data.changes);
    expect((await list()).map(({ slug }) => slug)).not.toContain('plain');
  });

  test('belong to their workspace', async () => {
    await fill(workspace, 2);
    const other = await parley.workspace();
    const theirs = await list();

    expect(await list(other)).toEqual([]);
    const deletions = theirs.map((each) => ({ ...asWanted(each), definition: null }));
    expect(new Set((await apply(deletions, other)).map(({ action }) => action))).toEqual(new Set(['none']));
    expect(await outcome(post([rehearsal('agent-0/mine')], other))).toEqual(invalid('body.resources.0.slug'));
    expect(await outcome(post([agent('x', { knowledge: ['Prices'] })], other))).toEqual(
      invalid('body.resources.0.definition.knowledge.0'),
    );
    await apply([agent('agent-0'), tool('plain', { say: 'Mine.' })], other);
    expect(await list()).toEqual(theirs);
  });

  describe('The secrets of a tool', () => {
    const stored = async () =>
      (
        await parley.sql<{ secrets: object }>('SELECT secrets FROM tools WHERE workspace_id = $1', [
          workspace.workspaceId,
        ])
      )[0]?.secrets;

    test('are shown by their names, keep their values by them, and change by values', async () => {
      await apply([tool('book_table', { secrets: { KEY: 'one', OLD: 'two' } })]);
      const first = await find('book_table');
      expect(first.definition.secrets).toEqual(['KEY', 'OLD']);
      expect(JSON.stringify(first)).not.toContain('one');

      expect(await apply([tool('book_table', { secrets: { OLD: 'two', KEY: 'one' } })])).toMatchObject([
        { action: 'none' },
      ]);
      expect(await apply([tool('book_table', { secrets: ['OLD', 'KEY'] })])).toMatchObject([
        { action: 'none' },
      ]);
      const other = tool('book_table', { secrets: { KEY: 'three', OLD: 'two' } }, first.revision);
      expect(await apply([other])).toMatchObject([
        { action: 'update', fields: ['secrets'], revision: first.revision },
      ]);
      expect(await stored()).toEqual({ KEY: 'three', OLD: 'two' });
      expect(JSON.stringify(await audit())).not.toContain('three');
      await apply([tool('book_table', { secrets: ['KEY'] }, first.revision)]);
      expect(await stored()).toEqual({ KEY: 'three' });
      await apply([tool('book_table', {}, (await find('book_table')).revision)]);
      expect(await stored()).toEqual({});
    });

    test('cannot be guessed by a credential that only reads', async () => {
      await apply([tool('book_table', { secrets: { KEY: 'one' } })]);
      const reader = { api: parley.scoped(workspace, 'read') };

      for (const KEY of ['one', 'two']) {
        const { body } = await post([tool('book_table', { secrets: { KEY } })], reader, { dry_run: true });
        expect(body.data.changes).toMatchObject([{ action: 'none' }]);
      }
    });
  });

  test('of the kind mcp are asked for when they change, and by no dry run', async () => {
    const served = { run: () => ({ content: [] }), inputSchema: toSchema({ type: 'object' }) };
    server.tools.push({ name: 'search', description: 'Searches.', ...served });
    const shop = (fields: Definition = {}, base: string | null = null): Wanted => ({
      ...{ kind: 'tool', slug: 'shop', base },
      definition: { kind: 'mcp', description: 'The shop.', url: server.url, tools: ['search'], ...fields },
    });
    const reader = { api: parley.scoped(workspace, 'read') };
    const nowhere = shop({ url: 'http://127.0.0.1:1/mcp' });
    expect(actions((await post([nowhere], reader, { dry_run: true })).body.data.changes as Change[])).toEqual(
      ['create shop'],
    );
    expect(await outcome(post([agent('desk'), nowhere]))).toMatchObject({
      ...{ status: 422, body: { error_code: 'TOOL_SERVER_UNAVAILABLE' } },
    });
    expect(await list()).toEqual([]);

    expect(actions(await apply([shop()]))).toEqual(['create shop']);
    const first = await find('shop');
    expect(first.definition).toEqual(shop().definition);
    server.tools.splice(0);
    expect(actions(await apply([shop({}, first.revision)]))).toEqual(['none shop']);
    expect(await outcome(post([agent('desk'), shop({ say: 'Wait.' }, first.revision)]))).toEqual(
      invalid('body.resources.1.definition.tools.0'),
    );
    server.tools.push({ name: 'search', description: 'Searches again.', ...served });
    expect(await apply([shop({ say: 'Wait.' }, first.revision)])).toMatchObject([{ fields: ['say'] }]);
    const [shown] = (await workspace.api.get('/api/tools')).body.data as { discovered: object[] }[];
    expect(shown?.discovered).toMatchObject([{ description: 'Searches again.' }]);
  });

  test('are applied once with an Idempotency-Key, dry runs too', async () => {
    const api = withKey(parley, workspace, 'once');
    const first = await post([agent('desk')], { api });
    const second = await post([agent('desk')], { api });
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.body).toEqual(first.body);

    const dry = { api: withKey(parley, workspace, 'dry') };
    const compared = await post([agent('bar')], dry, { dry_run: true });
    await apply([agent('bar')]);
    expect((await post([agent('bar')], dry, { dry_run: true })).body).toEqual(compared.body);
  });
});

describe('The agents of a database that is upgraded', () => {
  test('get slugs of their names, the oldest first, and those who were deleted keep none from others', async () => {
    const database = await createDatabase({ empty: true });
    const dataSource = await connectTo(database.url);
    await migrateUntil(dataSource, 'SlugsOfAgents');
    const workspaceId = randomUUID();
    await dataSource.query(`INSERT INTO workspaces (id, name) VALUES ($1, 'Old')`, [workspaceId]);
    const insert = (name: string, day: number, isDeleted = false) =>
      dataSource.query(
        `INSERT INTO agents (id, workspace_id, user_id, name, type, config, deployment_last_updated, created_at, deleted_at)
         VALUES (gen_random_uuid(), $1, 'user', $2, 'inbound', '{}', now(), $3::date, $4)`,
        [workspaceId, name, `2026-01-0${day}`, isDeleted ? new Date() : null],
      );
    await insert('Desk 2', 3);
    await insert('Desk', 2);
    await insert('Desk', 1);
    await insert('Desk', 4);
    await insert('Bar', 5, true);
    await insert('Bar', 6);

    await migrate({ DATABASE_URL: database.url });

    const agents = await dataSource.query<{ slug: string }[]>(
      'SELECT slug FROM agents WHERE deleted_at IS NULL ORDER BY created_at',
    );
    expect(agents.map(({ slug }) => slug)).toEqual(['desk', 'desk-2', 'desk-2-2', 'desk-3', 'bar']);
    await dataSource.destroy();
    await database.drop();
  });
});
