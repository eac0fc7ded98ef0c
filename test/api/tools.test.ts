import { invalid, outcome, outcomeForStrangers, outOfScope, refused, succeeded } from '../support/answers';
import { createAgent } from '../support/agents';
import { type TestWorkspace, useParley } from '../support/parley';

const PARAMETERS = {
  type: 'object',
  properties: {
    day: { type: 'string', format: 'date', title: 'The day' },
    persons: { type: 'integer', minimum: 1, maximum: 12, default: 2 },
    table: { type: 'object', properties: { id: { type: 'string', pattern: '^t[0-9]+$' } }, required: ['id'] },
    wishes: { type: 'array', items: { type: 'string', enum: ['window', 'quiet'] }, maxItems: 2 },
  },
  required: ['day', 'persons'],
};

const BOOK = {
  name: 'book_table',
  description: 'Books a table.',
  parameters: PARAMETERS,
  url: 'https://shop.example.com/bookings/{day}',
  headers: { Authorization: 'Bearer {{secret:KEY}}' },
  secrets: { KEY: 'a secret of the shop', OLD: 'another one' },
  fixed: { call: '{{call_id}}' },
};

const DEFAULTS = {
  ...{ tools: [], discovered: [] },
  kind: 'http',
  method: 'POST',
  effect: 'once',
  once_by: null,
  idempotent: false,
  timeout_ms: 8_000,
  mode: 'wait',
  confirm: false,
  say: '',
  results: [],
};

const notFound = () => refused(404, 'Tool not found', { error_code: 'TOOL_NOT_FOUND' });

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- data as the API shows them
type Shown = any;

describe('Tools', () => {
  const parley = useParley();
  let workspace: TestWorkspace;

  beforeEach(async () => {
    workspace = await parley.workspace();
  });

  const create = (fields: object = {}) => workspace.api.post('/api/tools', { ...BOOK, ...fields });
  const createdId = async (fields: object = {}): Promise<string> => {
    const { status, body } = await create(fields);
    if (status !== 201) throw new Error(`Creating a tool answered ${status}: ${JSON.stringify(body)}`);
    return body.data.tool_id as string;
  };
  const replace = (id: string, fields: object) =>
    workspace.api.put(`/api/tools/${id}`, { ...BOOK, secrets: {}, ...fields });
  const get = async (path: string): Promise<Shown> => (await workspace.api.get(path)).body.data;
  const latest = async (agentId: string): Promise<Shown> => {
    const [{ version }] = await get(`/api/agents/${agentId}/versions?limit=1`);
    return get(`/api/agents/${agentId}/versions/${version}`);
  };
  const pinned = async (agentId: string): Promise<string[]> =>
    (await latest(agentId)).tools.map(({ name }: { name: string }) => name);

  test('have their defaults, and show of their secrets the names', async () => {
    const created = await create();

    expect(created.status).toBe(201);
    const { tool_id, created_at } = created.body.data;
    expect(created.headers.get('location')).toBe(`/api/tools/${tool_id}`);
    const shown = {
      ...{ ...BOOK, ...DEFAULTS, secrets: ['KEY', 'OLD'] },
      ...{ tool_id, created_at, updated_at: created_at },
    };
    expect(created.body.data).toEqual(shown);
    expect(await get(`/api/tools/${tool_id}`)).toEqual(shown);
    expect((await create({ name: 'look_up', method: 'GET' })).body.data).toMatchObject({ effect: 'read' });
    const listed = await workspace.api.get('/api/tools?search=book');
    expect(listed.body).toMatchObject({ data: [shown], pagination: { total: 1 } });
    expect((await get('/api/tools')).map(({ name }: Shown) => name)).toEqual(['book_table', 'look_up']);
  });

  test('are replaced as a whole, except secrets that are left out', async () => {
    const id = await createdId({ say: 'One moment.', results: [{ variable: 'id', pointer: '/booking/id' }] });

    const replaced = await replace(id, { secrets: { OLD: null, NEW: 'new' }, timeout_ms: 60_000 });
    expect(replaced.body.data).toMatchObject({
      secrets: ['KEY', 'NEW'],
      timeout_ms: 60_000,
      say: '',
      results: [],
    });
    expect(await parley.sql('SELECT secrets FROM tools WHERE id = $1', [id])).toEqual([
      { secrets: { KEY: 'a secret of the shop', NEW: 'new' } },
    ]);
    expect(await outcome(replace(id, { secrets: { KEY: null } }))).toEqual(invalid('body.secrets'));
    const details = (await get('/api/audit?limit=1'))[0].details;
    expect(details).toEqual({ changed: ['timeout_ms', 'say', 'results', 'secrets'] });
  });

  test('have names that are unique in a workspace', async () => {
    const id = await createdId();
    const other = await createdId({ name: 'other' });
    const taken = refused(409, 'The name is taken', {
      error_code: 'TOOL_NAME_TAKEN',
      error: { details: 'The workspace already has a tool with the name book_table.' },
    });

    expect(await outcome(create())).toEqual(taken);
    expect(await outcome(replace(other, {}))).toEqual(taken);
    expect((await replace(id, {})).status).toBe(200);
    const stranger = await parley.workspace();
    expect((await stranger.api.post('/api/tools', BOOK)).status).toBe(201);
    expect(
      (await Promise.all([1, 2, 3].map(() => create({ name: 'twice' })))).map(({ status }) => status).sort(),
    ).toEqual([201, 409, 409]);
  });

  test('are deleted, and are those of their workspace only', async () => {
    const id = await createdId();
    const stranger = await parley.workspace();
    for (const none of [`/api/tools/${id}`, '/api/tools/none']) {
      const { api } = none.endsWith('none') ? workspace : stranger;
      expect(await outcome(api.get(none))).toEqual(notFound());
      expect(await outcome(api.put(none, BOOK))).toEqual(notFound());
      expect(await outcome(api.delete(none))).toEqual(notFound());
    }

    expect(await outcome(workspace.api.delete(`/api/tools/${id}`))).toEqual(succeeded('Tool deleted', {}));
    expect(await outcome(workspace.api.get(`/api/tools/${id}`))).toEqual(notFound());
  });

  test('are not for strangers, nor for credentials of agents; a reading credential reads them', async () => {
    const id = await createdId();
    const scoped = parley.scoped(workspace, `agent:${await createAgent(workspace)}`);
    const reader = parley.scoped(workspace, 'read');
    expect(await outcome(scoped.get('/api/tools'))).toEqual(outOfScope());
    expect((await reader.get(`/api/tools/${id}`)).status).toBe(200);
    expect(await outcome(reader.delete(`/api/tools/${id}`))).toEqual(outOfScope());
    await outcomeForStrangers(parley, (api) => api.get('/api/tools'));
  });

  const nested = (levels: number): object =>
    levels === 1 ? { type: 'string' } : { type: 'array', items: nested(levels - 1) };
  const withProperty = (schema: unknown) => ({ parameters: { type: 'object', properties: { x: schema } } });
  const at = (rest = '') => `body.parameters.properties.x${rest}`;

  test.each<[string, object, string]>([
    ['a name with a capital letter', { name: 'Book' }, 'body.name'],
    ['a name of 61 characters', { name: 'b'.repeat(61) }, 'body.name'],
    ['the name of what is built in', { name: 'end_call' }, 'body.name'],
    ['another kind', { kind: 'soap' }, 'body.kind'],
    ['no description', { description: '' }, 'body.description'],
    ['a long description', { description: 'x'.repeat(1_001) }, 'body.description'],
    ['parameters that are no object', { parameters: { type: 'string' } }, 'body.parameters.type'],
    [
      'large parameters',
      withProperty({ type: 'string', description: 'x'.repeat(33_000) }),
      'body.parameters',
    ],
    ['a parameter that is no schema', withProperty('string'), at()],
    ['an unknown type', withProperty({ type: 'date' }), at('.type')],
    ['a list of types', withProperty({ type: ['string', 'null'] }), at('.type')],
    ['an unknown keyword', withProperty({ type: 'string', anyOf: [] }), at('.anyOf')],
    ['a keyword of another type', withProperty({ type: 'string', maximum: 3 }), at('.maximum')],
    ['the name of a prototype', withProperty({ type: 'string', toString: 1 }), at('.toString')],
    ['a pattern that RE2 does not have', withProperty({ type: 'string', pattern: '(a)\\1' }), at('.pattern')],
    ['a large pattern', withProperty({ type: 'string', pattern: 'a{400}' }), at('.pattern')],
    [
      'many patterns',
      withProperty({
        type: 'object',
        properties: Object.fromEntries(
          [...'abcdefgh'].map((name) => [name, { type: 'string', pattern: 'a{200}' }]),
        ),
      }),
      at('.properties.h.pattern'),
    ],
    ['a negative length', withProperty({ type: 'string', maxLength: -1 }), at('.maxLength')],
    ['choices of another type', withProperty({ type: 'integer', enum: ['1'] }), at('.enum')],
    ['a list without items', withProperty({ type: 'array' }), at('.items')],
    ['a schema of six levels', withProperty(nested(5)), at('.items.items.items.items')],
    [
      'a required parameter that there is not',
      { parameters: { ...PARAMETERS, required: ['x'] } },
      'body.parameters.required',
    ],
    [
      'a required parameter twice',
      { parameters: { ...PARAMETERS, required: ['day', 'day'] } },
      'body.parameters.required',
    ],
    [
      'additional parameters by a schema',
      { parameters: { ...PARAMETERS, additionalProperties: {} } },
      'body.parameters.additionalProperties',
    ],
    ['an address of another protocol', { url: 'ftp://shop.example.com' }, 'body.url'],
    ['an optional parameter in its path', { url: 'https://shop.example.com/{wishes}' }, 'body.url'],
    ['a parameter in its host', { url: 'https://{day}.example.com/' }, 'body.url'],
    ['a parameter in its query', { url: 'https://shop.example.com/?day={day}' }, 'body.url'],
    ['an unknown method', { method: 'HEAD' }, 'body.method'],
    ['a header with a space in its name', { headers: { 'X Day': 'x' } }, 'body.headers.X Day'],
    ['a header with a line break', { headers: { 'X-Day': 'x\r\nY: z' } }, 'body.headers.X-Day'],
    ['a header that the server sets', { headers: { 'Webhook-Id': 'x' } }, 'body.headers.Webhook-Id'],
    ['another host', { headers: { host: 'x' } }, 'body.headers.host'],
    ['a secret that there is not', { headers: { A: '{{secret:NONE}}' } }, 'body.secrets'],
    [
      '21 headers',
      { headers: Object.fromEntries(Array.from({ length: 21 }, (_, n) => [`x-${n}`, 'x'])) },
      'body.headers',
    ],
    ['an empty secret', { secrets: { KEY: 'x', EMPTY: '' } }, 'body.secrets.EMPTY'],
    ['a secret with a line break', { secrets: { KEY: 'x\ny' } }, 'body.secrets.KEY'],
    ['a secret that is a number', { secrets: { KEY: 1 } }, 'body.secrets.KEY'],
    [
      '11 secrets',
      { secrets: Object.fromEntries(Array.from({ length: 11 }, (_, n) => [`KEY${n || ''}`, 'x'])) },
      'body.secrets',
    ],
    ['a fixed value that is a parameter', { fixed: { day: 'Monday' } }, 'body.fixed.day'],
    ['an unknown effect', { effect: 'twice' }, 'body.effect'],
    ['once_by an unknown parameter', { once_by: ['day', 'x'] }, 'body.once_by.1'],
    ['a long time in which the agent waits', { timeout_ms: 60_001 }, 'body.timeout_ms'],
    ['a short time', { timeout_ms: 499 }, 'body.timeout_ms'],
    ['an unknown mode', { mode: 'later' }, 'body.mode'],
    ['a long text to say', { say: 'x'.repeat(201) }, 'body.say'],
    ['a pointer without a slash', { results: [{ variable: 'id', pointer: 'id' }] }, 'body.results.0.pointer'],
    [
      'a pointer with a wrong escape',
      { results: [{ variable: 'id', pointer: '/a~2' }] },
      'body.results.0.pointer',
    ],
    ['a result without a variable', { results: [{ pointer: '/id' }] }, 'body.results.0.variable'],
    ['a list in the list of results', { results: [[]] }, 'body.results.0'],
    ['a field that there is not', { retries: 3 }, 'body.retries'],
  ])('with %s are refused, by the path', async (_, fields, path) => {
    expect(await outcome(create(fields))).toEqual(invalid(path));
  });

  test('may run for ten minutes in the background', async () => {
    expect((await create({ mode: 'background', timeout_ms: 600_000 })).status).toBe(201);
  });

  describe('of an agent', () => {
    test('are pinned in its versions, in the order of its actions', async () => {
      const id = await createdId();
      await createdId({ name: 'cancel_table' });
      const agentId = await createAgent(workspace, {
        actions: ['cancel_table', 'unknown', 'sales tel:+15551234567', 'book_table', 'cancel_table'],
      });

      expect(await pinned(agentId)).toEqual(['cancel_table', 'book_table']);
      const { secrets: _, ...definition } = BOOK;
      expect((await latest(agentId)).tools[1]).toEqual({ tool_id: id, ...definition, ...DEFAULTS });
      await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions: ['book_table'] });
      expect(await pinned(agentId)).toEqual(['book_table']);
    });

    test('make a new version of it when they are stored, changed or deleted, and not of other agents', async () => {
      const agentId = await createAgent(workspace, { actions: ['book_table'] });
      const other = await createAgent(workspace, { actions: ['other'] });
      const stranger = await parley.workspace();
      const foreign = await createAgent(stranger, { actions: ['book_table'] });
      const versions = async () =>
        [(await latest(agentId)).version, (await latest(other)).version] as number[];
      const [first = 0, others = 0] = await versions();

      const id = await createdId();
      expect([await versions(), await pinned(agentId)]).toEqual([[first + 1, others], ['book_table']]);
      await replace(id, { description: 'Books.' });
      expect([await versions(), (await latest(agentId)).tools[0].description]).toEqual([
        [first + 2, others],
        'Books.',
      ]);
      // Secrets are those of the day on which the tool runs.
      await replace(id, { description: 'Books.', secrets: { KEY: 'another' } });
      await replace(id, { description: 'Books.' });
      expect(await versions()).toEqual([first + 2, others]);
      await replace(id, { name: 'other', description: 'Books.' });
      expect([await versions(), await pinned(agentId), await pinned(other)]).toEqual([
        [first + 3, others + 1],
        [],
        ['other'],
      ]);
      await workspace.api.delete(`/api/tools/${id}`);
      expect([await versions(), await pinned(other)]).toEqual([[first + 3, others + 2], []]);
      expect((await get(`/api/agents/${other}/versions/${others + 1}`)).tools).toHaveLength(1);
      const { body } = await stranger.api.get(`/api/agents/${foreign}/versions`);
      expect(body.data).toHaveLength(1);
    });

    test('are today’s in a version that was restored', async () => {
      const id = await createdId();
      const agentId = await createAgent(workspace, { actions: ['book_table'] });
      const { version } = await latest(agentId);
      await workspace.api.put(`/api/agents/${agentId}`, { type: 'outbound', actions: [] });
      await replace(id, { description: 'Books.' });

      await workspace.api.post(`/api/agents/${agentId}/versions/${version}/restore`);
      expect((await latest(agentId)).tools).toMatchObject([{ description: 'Books.' }]);
    });

    test('that change while agents are stored are in the newest version of each', async () => {
      const id = await createdId();
      const texts = Array.from({ length: 8 }, (_, index) => `Books ${index}.`);
      const [agents] = await Promise.all([
        Promise.all(texts.map(() => createAgent(workspace, { actions: ['book_table'] }))),
        ...texts.map((description) => replace(id, { description })),
      ]);

      const { description } = await get(`/api/tools/${id}`);
      for (const agentId of agents) expect((await latest(agentId)).tools).toMatchObject([{ description }]);
    });
  });
});
