import type { ServerResponse } from 'node:http';
import { Webhook } from 'standardwebhooks';
import { outcome } from '../support/answers';
import { ToolServer, toSchema } from '../support/mcp-server';
import { type Shown, useToolShop } from '../support/tool-shop';
import { useStarted } from '../support/use-started';

const SCHEMA = {
  type: 'object',
  properties: { query: { type: 'string' }, tenant: { type: 'string' } },
  required: ['query', 'tenant'],
} as const;

const answering =
  (status: number, body: object | string = '', headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    const type = typeof body === 'string' ? 'text/plain' : 'application/json';
    response
      .writeHead(status, { 'content-type': type, ...headers })
      .end(typeof body === 'string' ? body : JSON.stringify(body));
  };

describe('The tools of a server of the Model Context Protocol', () => {
  const { tried, takeCall, ask, asked, parley } = useToolShop();
  const server = useStarted(() => ToolServer.start());
  const tools = { search: 'Searches the orders.', 'order.cancel': 'Cancels an order.' };
  const actions = ['shop'];

  beforeEach(() => {
    server.calls.splice(0);
    server.instead.splice(0);
    server.tools.splice(0);
    for (const [name, description] of Object.entries(tools))
      server.tools.push({
        ...{ name, description, inputSchema: toSchema(SCHEMA) },
        annotations: { readOnlyHint: name === 'search' },
        run: ({ query }) =>
          name === 'search'
            ? {
                content: [{ type: 'text', text: `found ${String(query)}` }],
                structuredContent: { found: query },
              }
            : {
                content: [
                  { type: 'text', text: 'cancelled' },
                  { type: 'text', text: 'for good' },
                ],
              },
      });
  });

  const body = (fields: object = {}) => ({
    ...{ name: 'shop', kind: 'mcp', description: 'The shop.', url: server.url },
    ...{ tools: ['search', 'order.cancel'], ...fields },
  });
  const create = async (fields: object = {}): Promise<Shown> => {
    const answer = await tried.workspace.api.post('/api/tools', body(fields));
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const given = { query: 'tea', tenant: 'one' };

  test('are stored with the schemas that the server has, and offered under its name', async () => {
    const tool = await create();
    expect(tool).toMatchObject({
      ...{ kind: 'mcp', effect: null, idempotent: null, tools: ['search', 'order.cancel'], parameters: {} },
      discovered: [
        {
          ...{ name: 'search', description: 'Searches the orders.', annotations: { readOnlyHint: true } },
          parameters: SCHEMA,
        },
        { name: 'order.cancel', annotations: { readOnlyHint: false } },
      ],
    });
    const call = await takeCall({}, actions);
    const { body: version } = await tried.workspace.api.get(
      `/api/agents/${(await tried.workspace.api.get(`/api/calls/${call.conversationId}`)).body.data.agent.id}/versions/1`,
    );
    expect(version.data.tools).toMatchObject([{ name: 'shop', tools: ['search', 'order.cancel'] }]);
    expect(await asked(call, given, { tool: 'shop_search' })).toMatchObject({
      ...{ state: 'done', result: { found: 'tea' }, error: null },
    });
    expect(await asked(call, given, { tool: 'shop_order_cancel' })).toMatchObject({
      ...{ state: 'done', result: 'cancelled\nfor good' },
    });
    expect(server.calls.map(({ arguments: sent }) => sent)).toEqual([given, given]);
    expect(await outcome(ask(call, given, { tool: 'shop' }))).toMatchObject({ status: 404 });
  });

  test('are requested with the headers of the tool, the key, and the signature of the workspace', async () => {
    await create({ headers: { Authorization: 'Bearer {{secret:KEY}}' }, secrets: { KEY: 'a key' } });
    const call = await takeCall({}, actions);
    const { invocation_id } = await asked(call, given, { tool: 'shop_search' });
    const [{ headers, body: sent } = {} as never] = server.calls;
    expect(headers).toMatchObject({
      ...{ authorization: 'Bearer a key', 'idempotency-key': invocation_id, 'webhook-id': invocation_id },
      'x-parley-call-id': call.conversationId,
    });
    const { secret } = (await tried.workspace.api.get('/api/webhooks/secret')).body.data;
    new Webhook(secret as string).verify(sent, headers as Record<string, string>);
  });

  test('get what is fixed, which a model does not see', async () => {
    await create({ fixed: { tenant: '{{city}}' } });
    const call = await takeCall({ dynamic_variables: { city: 'Berlin' } }, actions);
    await asked(call, { query: 'tea' }, { tool: 'shop_search' });
    expect(server.calls[0]?.arguments).toEqual({ query: 'tea', tenant: 'Berlin' });
  });

  test('of the same server are done once each, also with the same arguments', async () => {
    await create({ effect: 'once' });
    const call = await takeCall({}, actions);
    for (const tool of ['shop_search', 'shop_order_cancel', 'shop_search'])
      expect(await asked(call, given, { tool })).toMatchObject({ state: 'done' });
    const called = server.calls.map(
      ({ body: sent }) => (JSON.parse(sent) as { params: { name: string } }).params.name,
    );
    expect(called).toEqual(['search', 'order.cancel']);
  });

  test('have no argument that is fixed', async () => {
    await create({ fixed: { tenant: 'Berlin' } });
    expect((await ask(await takeCall({}, actions), given, { tool: 'shop_search' })).body.errors).toEqual([
      { field: 'body.arguments.tenant', message: 'tenant is no parameter' },
    ]);
    expect(server.calls).toEqual([]);
  });

  test('are known to models as they were stored, also when the server changes them', async () => {
    const { tool_id } = await create({ tools: ['search'] });
    server.tools[0] = {
      ...(server.tools[0] as ToolServer['tools'][number]),
      description: 'Deletes everything.',
    };
    const discover = async () =>
      (await tried.workspace.api.post(`/api/tools/${tool_id}/discover`, {})).body.data.tools;

    const found = await discover();
    expect(found.map((tool: Shown) => [tool.name, tool.description, tool.allowed, tool.changed])).toEqual([
      ['search', 'Deletes everything.', true, true],
      ['order.cancel', 'Cancels an order.', false, false],
    ]);
    const stored = (await tried.workspace.api.get(`/api/tools/${tool_id}`)).body.data;
    expect(stored.discovered).toMatchObject([{ description: 'Searches the orders.' }]);
    const replaced = await tried.workspace.api.put(`/api/tools/${tool_id}`, body({ tools: ['search'] }));
    expect(replaced.body.data.discovered).toMatchObject([{ description: 'Deletes everything.' }]);
    expect((await discover())[0]).toMatchObject({ changed: false });
  });

  test('have no name of a tool that each agent has', async () => {
    const run = () => ({ content: [] });
    server.tools.push({ name: 'call', description: '', annotations: {}, inputSchema: toSchema(SCHEMA), run });
    const answer = await tried.workspace.api.post('/api/tools', body({ name: 'end', tools: ['call'] }));
    expect(answer.body.errors).toEqual([
      { field: 'body.tools.0', message: 'call would be end_call, which each agent has already' },
    ]);
  });

  test.each<[string, object, string, string]>([
    [
      'an unknown name',
      { tools: ['search', 'none'] },
      'tools.1',
      'none is no tool of the server, which has: search, order.cancel',
    ],
    ['no names', { tools: [] }, 'tools', 'tools must have 1 to 20 names of tools of the server'],
    [
      'the same name twice',
      { tools: ['search', 'search'] },
      'tools.1',
      'search would have the name of another one',
    ],
    ['parameters', { parameters: SCHEMA }, 'parameters', 'parameters is for the kind http only'],
    ['a method', { method: 'GET' }, 'method', 'method is for the kind http only'],
    [
      'an unknown parameter in once_by',
      { once_by: ['none'] },
      'once_by.0',
      'none is no parameter of the tool',
    ],
    [
      'a name that makes too long ones',
      { name: 'x'.repeat(60) },
      'tools.0',
      `search would be ${'x'.repeat(60)}_search, and a model takes names of at most 64 characters`,
    ],
  ])('with %s are refused', async (_, fields, field, message) => {
    expect(await outcome(tried.workspace.api.post('/api/tools', body(fields)))).toMatchObject({
      status: 400,
      body: { errors: expect.arrayContaining([{ field: `body.${field}`, message }]) as unknown },
    });
  });

  test('are not stored while the server is away, or is none', async () => {
    const refusal = async (url: string) => outcome(tried.workspace.api.post('/api/tools', body({ url })));
    const away = await ToolServer.start();
    await away.stop();
    const unavailable = (details: unknown) => ({
      status: 422,
      body: { error_code: 'TOOL_SERVER_UNAVAILABLE', details },
    });
    expect(await refusal(away.url)).toMatchObject(
      unavailable('The server cannot be asked for its tools, because its host refuses the connection.'),
    );
    expect(await refusal(`${parley.url}/health/live`)).toMatchObject(
      unavailable(expect.stringContaining('it answers with status 40')),
    );
    expect((await tried.workspace.api.get('/api/tools')).body.data).toEqual([]);
  });

  const rpc = (id: unknown, more: object) => ({ jsonrpc: '2.0', id, ...more });

  test.each<[string, (response: ServerResponse) => void, string, string | null]>([
    ['a refusal of the tool', answering(200, rpc(0, {})), 'done', 'its answer is broken'],
    ['a status of refusal', answering(403), 'refused', 'it answers with status 403'],
    ['a status that asks to come later', answering(429), 'failed', 'it answers with status 429'],
    ['an error', answering(500), 'unknown', 'it answers with status 500'],
    ['a redirect', answering(302, '', { location: '/mcp' }), 'unknown', 'it answers with status 302'],
    ['a cut connection', (response) => void response.destroy(), 'unknown', expect.any(String) as never],
    [
      'a broken answer',
      answering(200, '{', { 'content-type': 'application/json' }),
      'done',
      'its answer is broken',
    ],
  ])('with %s', async (_, instead, state, error) => {
    await create();
    const call = await takeCall({}, actions);
    server.instead.push(instead);
    expect(await asked(call, given, { tool: 'shop_order_cancel' })).toMatchObject({
      state,
      error,
      result: null,
    });
    expect(server.calls).toHaveLength(1);
  });

  test('that say that they failed, or do not know their arguments, were not done', async () => {
    await create();
    const cancel = server.tools[1] as ToolServer['tools'][number];
    cancel.run = () => ({ isError: true, content: [{ type: 'text', text: 'There is no such order' }] });
    const call = await takeCall({}, actions);
    expect(await asked(call, given, { tool: 'shop_order_cancel' })).toMatchObject({
      ...{ state: 'refused', error: 'There is no such order' },
    });
    server.tools.pop();
    expect(await asked(call, given, { tool: 'shop_order_cancel' })).toMatchObject({ state: 'refused' });
  });

  test('that only read are asked again after an error, with the same key', async () => {
    await create();
    const call = await takeCall({}, actions);
    server.instead.push(answering(500), (response) => response.destroy());
    const { invocation_id, state } = await asked(call, given, { tool: 'shop_search' });
    expect(state).toBe('done');
    expect(server.calls.map(({ headers }) => headers['idempotency-key'])).toEqual(
      Array.from({ length: 3 }, () => invocation_id as string),
    );
  });

  test('with a large answer were done', async () => {
    await create();
    const cancel = server.tools[1] as ToolServer['tools'][number];
    const call = await takeCall({}, actions);
    for (const [size, day] of [
      [70_000, '1'],
      [2_000_000, '2'],
    ] as const) {
      cancel.run = () => ({ content: [{ type: 'text', text: 'x'.repeat(size) }] });
      expect(await asked(call, { query: day }, { tool: 'shop_order_cancel' })).toMatchObject({
        ...{ state: 'done', result: null, error: 'its answer is larger than 64 KB' },
      });
    }
  });

  test('are tested one at a time, by their names', async () => {
    const { tool_id } = await create();
    const test = (fields: object) =>
      tried.workspace.api.post(`/api/tools/${tool_id}/test`, { arguments: given, ...fields });
    expect((await test({ tool: 'search' })).body.data).toMatchObject({
      ...{ status: null, body: '{"found":"tea"}', error: null },
    });
    expect(server.calls[0]?.headers).toMatchObject({ 'x-parley-test': 'true' });
    expect(await outcome(test({}))).toMatchObject({
      status: 400,
      body: { errors: [{ field: 'body.tool', message: 'tool must be one of search, order.cancel' }] },
    });
  });
});
