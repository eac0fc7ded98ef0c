import { createAgent } from '../support/agents';
import { outcome } from '../support/answers';
import { McpClient } from '../support/mcp';
import { readMetric } from '../support/metrics';
import { answeringJson, MONDAY, type Shown, useToolShop } from '../support/tool-shop';
import { until } from '../support/until';
import { answeringStatus } from '../support/webhook-receiver';

describe('The invocations of all calls', () => {
  const { tried, parley, worker, shop, createTool, takeCall, own, ask, asked, bookings } = useToolShop();
  const list = async (query = ''): Promise<Shown> =>
    (await tried.workspace.api.get(`/api/tool-invocations${query}`)).body;
  const askUnknown = async (fields: object = {}) => {
    shop.answer(tried.path, answeringStatus(500));
    const toolId = await createTool(fields);
    const call = await takeCall();
    const { invocation_id: id, state } = await asked(call);
    expect(state).toBe('unknown');
    return { toolId, call, id: id as string };
  };
  const resolve = (id: string, body: object) =>
    tried.workspace.api.post(`/api/tool-invocations/${id}/resolve`, body);
  const resend = (id: string) => tried.workspace.api.post(`/api/tool-invocations/${id}/resend`, {});

  test('are listed newest first, in pages, by what they are of', async () => {
    shop.answer(tried.path, answeringStatus(200), answeringStatus(500), answeringStatus(200));
    await createTool();
    const [first, second] = [await takeCall(), await takeCall()];
    for (const day of ['1', '2']) await asked(first, { day });
    await asked(second, { day: '3' });
    const { data: all, pagination } = await list();

    expect(all.map(({ arguments: given }: Shown) => given.day)).toEqual(['3', '2', '1']);
    expect(pagination).toMatchObject({ total: 3 });
    expect(all[1]).toEqual({
      ...{ invocation_id: expect.any(String), call_id: first.conversationId, agent_id: expect.any(String) },
      ...{ tool: 'book_table', arguments: { day: '2' }, state: 'unknown', result: null, variables: {} },
      ...{ error: 'it answers with status 500', attempts: 1, repeats: 0, asked_at: expect.any(String) },
      ...{ settled_at: expect.any(String), settled_by: 'server', note: '' },
    });
    const days = async (query: string) =>
      (await list(query)).data.map(({ arguments: given }: Shown) => given.day);
    expect(await days('?limit=1&page=2')).toEqual(['2']);
    expect(await days('?state=unknown')).toEqual(['2']);
    expect(await days(`?call_id=${first.conversationId}`)).toEqual(['2', '1']);
    expect(await days(`?agent_id=${all[0].agent_id}`)).toEqual(['3']);
    expect(await days('?tool=book_table')).toHaveLength(3);
    for (const none of ['tool=other', 'agent_id=none', 'state=running', 'end_date=2020-01-01'])
      expect(await days(`?${none}`)).toEqual([]);
    expect(await days(`?start_date=${all[1].asked_at}`)).toEqual(['3', '2']);
    expect(await days(`?end_date=${all[1].asked_at}`)).toEqual(['2', '1']);
  });

  test('are exported as CSV and as JSON lines', async () => {
    shop.answer(tried.path, answeringStatus(200), answeringJson({ id: '=1+1' }));
    await createTool({ results: [{ variable: 'booking', pointer: '/id' }] });
    const call = await takeCall();
    for (const day of ['1', '2']) await asked(call, { day });
    const { data } = await list();
    const csv = await tried.workspace.api.get('/api/tool-invocations/export?state=done');
    expect(csv.headers.get('content-disposition')).toBe('attachment; filename="tool-invocations.csv"');
    expect(csv.body.split('\r\n').filter((_: string, at: number) => at !== 2)).toEqual([
      'invocation_id,call_id,agent_id,tool,arguments,state,result,error,attempts,repeats,asked_at,settled_at,settled_by,note',
      `${data[0].invocation_id},${data[0].call_id},${data[0].agent_id},book_table,"{""day"":""2""}",done,` +
        `"{""id"":""=1+1""}",,1,0,${data[0].asked_at},${data[0].settled_at},server,`,
      '',
    ]);
    const response = await fetch(`${parley.url}/api/tool-invocations/export?format=jsonl`, {
      headers: { 'x-api-key': tried.workspace.apiKey },
    });
    const lines = (await response.text()).trim().split('\n');
    expect(lines.map((line: string) => JSON.parse(line) as unknown)).toEqual(data);
  });

  test('are read by nobody else', async () => {
    const { id } = await askUnknown();
    const stranger = (await parley.workspace()).api;
    expect((await stranger.get('/api/tool-invocations')).body.data).toEqual([]);
    expect((await stranger.get('/api/tool-invocations/export')).body.trim().split('\n')).toHaveLength(1);
    for (const [path, body] of Object.entries({ resolve: { state: 'done' }, resend: {} }))
      expect(await outcome(stranger.post(`/api/tool-invocations/${id}/${path}`, body))).toMatchObject({
        status: 404,
        body: { error_code: 'INVOCATION_NOT_FOUND' },
      });
  });

  test('are resolved by a person if they are unknown, once', async () => {
    const { id, call } = await askUnknown();
    const { body } = await resolve(id, { state: 'done', note: 'The shop has it.' });
    expect(body.data).toMatchObject({
      ...{ invocation_id: id, state: 'done', settled_by: 'person', note: 'The shop has it.' },
    });
    for (const again of [resolve(id, { state: 'refused' }), resend(id)])
      expect(await outcome(again)).toMatchObject({
        status: 409,
        body: { error_code: 'INVOCATION_SETTLED' },
      });
    expect(await asked(call)).toMatchObject({ state: 'done', repeated: true });
    const audit = await tried.workspace.api.get('/api/audit?action=tool_invocation.resolved');
    expect(audit.body.data).toMatchObject([
      { target: { kind: 'tool_invocation', id, name: 'book_table' }, details: { state: 'done' } },
    ]);
    const timeline = await tried.workspace.api.get(`/api/calls/${call.conversationId}/timeline`);
    expect(timeline.body.data.at(-1)).toMatchObject({
      ...{ kind: 'tool_settled', source: 'api', text: 'A person said that book_table was done.' },
    });
    expect(await outcome(resolve(id, { state: 'unknown' }))).toMatchObject({ status: 400 });
    expect(await outcome(resolve('none', { state: 'done' }))).toMatchObject({ status: 404 });
  });

  test('are counted in the metrics while a person has not decided about them', async () => {
    const { id } = await askUnknown();
    const countUnknown = () => readMetric(parley.url, 'tool_invocations_waiting{state="unknown"}');
    const [{ unknown }] = (await parley.sql<{ unknown: number }>(
      `SELECT count(*)::int AS unknown FROM tool_invocations WHERE state = 'unknown'`,
    )) as [{ unknown: number }];
    await until(async () => (await countUnknown()) === unknown);
    await resolve(id, { state: 'done' });
    await until(async () => (await countUnknown()) === unknown - 1);
  });

  test('are explained to an assistant, with what came of each', async () => {
    shop.answer(tried.path, answeringJson({ table: 'x'.repeat(1_000) }), answeringStatus(500));
    await createTool();
    const call = await takeCall();
    const explain = async (): Promise<string> => {
      const client = await McpClient.connect(parley.url, { 'x-api-key': tried.workspace.apiKey });
      const { text } = await client.call('explain_call', { call_id: call.conversationId });
      await client.close();
      return text;
    };
    expect(await explain()).toContain('## What the agent did\nIt asked for no tools.\n');
    for (const day of ['1', '2', '2']) await asked(call, { day });
    const [{ invocation_id: id }] = (await list('?state=unknown')).data;
    const [, done, unknown] = /## What the agent did\n(.*)\n(.*)\n\n/.exec(await explain()) ?? [];
    expect(done).toMatch(/Z book_table with {"day":"1"}: it was done\. Answer: {"table":"x{350,400} …\.$/);
    expect(unknown).toMatch(
      /Z book_table with {"day":"2"}: it is not known whether it was done\. Why: it answers with status 500\. Times that the same was asked for again, and not sent: 1\.$/,
    );
    await resolve(id as string, { state: 'refused', note: 'The shop has no booking.' });
    expect(await explain()).toContain('refused, and not done. Why: it answers with status 500. Times');
    expect(await explain()).toContain('A person said so: The shop has no booking.');
  });

  test('that a person says were not done may be asked for again', async () => {
    const { id, call } = await askUnknown();
    await resolve(id, { state: 'refused' });
    shop.answer(tried.path, answeringStatus(200));
    expect(await asked(call)).toMatchObject({ state: 'done', repeated: false });
    expect(bookings()).toHaveLength(2);
  });

  test.each([
    ['is done if it was', 200, 'done'],
    ['stays unknown if it is refused, because that proves nothing', 409, 'unknown'],
  ])('are sent again with the same key by a person, and what comes of it %s', async (_, status, state) => {
    const { id } = await askUnknown();
    shop.answer(tried.path, answeringStatus(status));
    const { body } = await resend(id);
    expect(body.data).toMatchObject({ invocation_id: id, state, attempts: 2, settled_by: 'server' });
    expect(bookings().map(({ id: key }) => key)).toEqual([id, id]);
    const audit = await tried.workspace.api.get('/api/audit?action=tool_invocation.resent');
    expect(audit.body.data).toMatchObject([{ target: { id, name: 'book_table' } }]);
  });

  test('are not sent again if two persons ask at once, their tool is gone, or they were emptied', async () => {
    const { id } = await askUnknown();
    shop.answer(tried.path, answeringStatus(200));
    const both = await Promise.all([resend(id), resend(id)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(bookings()).toHaveLength(2);

    shop.answer(tried.path, answeringStatus(500));
    const call = await takeCall();
    const { invocation_id } = await asked(call);
    await parley.sql(`UPDATE tool_invocations SET key = id::text WHERE id = $1`, [invocation_id]);
    expect(await outcome(resend(invocation_id as string))).toMatchObject({ status: 409 });
    shop.answer(tried.path, answeringStatus(500));
    const other = await asked(call, { day: '5' });
    const [tool] = (await tried.workspace.api.get('/api/tools')).body.data;
    await tried.workspace.api.delete(`/api/tools/${tool.tool_id}`);
    expect(await outcome(resend(other.invocation_id as string))).toMatchObject({
      status: 404,
      body: { error_code: 'TOOL_NOT_FOUND' },
    });
    expect((await list(`?call_id=${call.conversationId}`)).data[0].state).toBe('unknown');
  });

  test('of an action with an address have the body and the arguments that they always had', async () => {
    const call = await takeCall({}, [`send-mail ${shop.url(tried.path)}`]);
    const [{ start } = {} as never] = worker.findOffers(call.conversationId);
    expect(start.tools).toEqual([
      {
        ...{ name: 'send-mail', description: 'Does "send mail". Give what is needed for it, by name.' },
        ...{ parameters: { type: 'object', properties: {}, additionalProperties: true } },
        ...{ mode: 'wait', confirm: false, say: '' },
      },
    ]);
    const given = { to: 'ada@example.com', lines: [1, { a: 2 }] };
    expect(await asked(call, given, { tool: 'send-mail' })).toMatchObject({ state: 'done', repeated: false });
    expect(await asked(call, given, { tool: 'send-mail' })).toMatchObject({ repeated: true });
    const [request] = bookings();
    expect(request?.payload).toEqual({
      call_id: call.conversationId,
      agent_id: start.agent_id,
      action: 'send-mail',
      arguments: given,
    });
    request?.verifyWith((await tried.workspace.api.get('/api/webhooks/secret')).body.data.secret as string);
  });

  test.each([
    ['..', ''],
    ['.', ''],
    ['', ''],
    ['..', '?all=1'],
  ])('have no path of something else for the argument "%s" before "%s"', async (day, query) => {
    await createTool({
      ...{ url: `${shop.url(tried.path)}/{day}${query}`, method: 'DELETE' },
      parameters: { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] },
    });
    expect(await outcome(ask(await takeCall(), { day }))).toMatchObject({
      status: 422,
      body: { errors: [{ field: 'body.arguments.day', message: 'day must not be empty, . or ..' }] },
    });
    expect(bookings()).toEqual([]);
  });

  test('are those of the call alone for its credential', async () => {
    await createTool();
    const call = await takeCall();
    expect(await outcome(own(call).get('/api/tool-invocations'))).toMatchObject({ status: 403 });
    const scoped = parley.scoped(tried.workspace, `agent:${await createAgent(tried.workspace)}`);
    expect(await outcome(scoped.get('/api/tool-invocations'))).toMatchObject({ status: 403 });
  });
});

describe('A test of a tool', () => {
  const { tried, shop, createTool, bookings } = useToolShop();
  const run = async (toolId: string, body: object) =>
    tried.workspace.api.post(`/api/tools/${toolId}/test`, body);

  test('sends its request once, says so to the address, and keeps nothing', async () => {
    shop.answer(tried.path, answeringJson({ id: 'b-1', text: 'x'.repeat(5_000) }));
    const toolId = await createTool({
      ...{ headers: { Authorization: 'Bearer {{secret:KEY}}' }, secrets: { KEY: 'a key' } },
      ...{ fixed: { name: '{{customer_name}}' }, results: [{ variable: 'booking', pointer: '/id' }] },
    });
    const { body } = await run(toolId, { arguments: MONDAY, variables: { customer_name: 'Ada' } });

    expect(body.data).toEqual({
      ...{
        status: 200,
        body: expect.stringMatching(/^{"id":"b-1","text":"x+…?$/),
        variables: { booking: 'b-1' },
      },
      ...{ error: null, ms: expect.any(Number) },
    });
    expect(body.data.body.length).toBeLessThanOrEqual(4_096);
    const [request, ...others] = bookings();
    expect(others).toEqual([]);
    expect(request?.payload).toEqual({ name: 'Ada', ...MONDAY });
    expect(request?.headers).toMatchObject({ 'x-parley-test': 'true', authorization: 'Bearer a key' });
    expect(request?.headers).not.toHaveProperty('x-parley-call-id');
    expect((await tried.workspace.api.get('/api/tool-invocations')).body.data).toEqual([]);
    const audit = await tried.workspace.api.get('/api/audit?action=tool.tested');
    expect(audit.body.data).toMatchObject([{ target: { kind: 'tool', id: toolId, name: 'book_table' } }]);
  });

  test('says what failed', async () => {
    shop.answer(tried.path, answeringJson({ reason: 'full' }, 409));
    const toolId = await createTool();
    const refusal = await run(toolId, { arguments: MONDAY });
    expect(refusal.body.data).toMatchObject({
      ...{ status: 409, body: '{"reason":"full"}', variables: {} },
      error: 'it answers with status 409: {"reason":"full"}',
    });
    const away = await createTool({ name: 'away', url: 'http://127.0.0.1:9/', timeout_ms: 500 });
    expect((await run(away, { arguments: MONDAY })).body.data).toMatchObject({ status: null, body: '' });
    expect(await outcome(run(toolId, { arguments: {} }))).toMatchObject({
      status: 422,
      body: { error_code: 'TOOL_ARGUMENTS_INVALID' },
    });
    expect(await outcome(run('none', { arguments: {} }))).toMatchObject({ status: 404 });
  });
});
