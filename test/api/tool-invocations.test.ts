import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { callNotFound, outcome, outOfScope, refused } from '../support/answers';
import { AgentCalls } from '../support/calls';
import type { ApiClient } from '../support/client';
import { answeringJson, MONDAY, PARAMETERS, type Shown, useToolShop } from '../support/tool-shop';
import { EventListener } from '../support/event-listener';
import { readMetric } from '../support/metrics';
import { until } from '../support/until';
import type { TakenCall } from '../support/worker';
import { answeringStatus, type WebhookReceiver } from '../support/webhook-receiver';

describe('An invocation of a tool', () => {
  const { tried, parley, worker, shop, createTool, takeCall, own, ask, asked, wait, list, bookings } =
    useToolShop();

  test('is sent once with what is fixed, signed as webhooks are, and gives variables to the call', async () => {
    shop.answer(tried.path, answeringJson({ booking: { id: 'b-17', seats: [1, 2] } }));
    const toolId = await createTool({
      headers: { Authorization: 'Bearer {{secret:KEY}}' },
      secrets: { KEY: 'a key of the shop' },
      fixed: { call: '{{call_id}}', guest_name: '{{ customer_name }}', city: '{{city}}', none: '{{none}}' },
      results: [
        { variable: 'booking_id', pointer: '/booking/id' },
        { variable: 'seat', pointer: '/booking/seats/1' },
        { variable: 'gone', pointer: '/booking/gone' },
      ],
    });
    const call = await takeCall({ customer_name: 'Ada', dynamic_variables: { city: 'Berlin' } });

    const invocation = await asked(call);
    expect(invocation).toEqual({
      invocation_id: expect.any(String),
      state: 'done',
      result: { booking: { id: 'b-17', seats: [1, 2] } },
      error: null,
      arguments: MONDAY,
      variables: { booking_id: 'b-17', seat: '2' },
      repeated: false,
    });
    const [request, ...others] = bookings();
    expect(others).toEqual([]);
    expect(request?.payload).toEqual({
      ...{ call: call.conversationId, guest_name: 'Ada', city: 'Berlin', none: '{{none}}' },
      ...MONDAY,
    });
    expect(request?.headers).toMatchObject({
      authorization: 'Bearer a key of the shop',
      'content-type': 'application/json',
      'idempotency-key': invocation.invocation_id,
      'webhook-id': invocation.invocation_id,
      'x-parley-call-id': call.conversationId,
    });
    request?.verifyWith((await tried.workspace.api.get('/api/webhooks/secret')).body.data.secret as string);
    const { body } = await tried.workspace.api.get(`/api/calls/${call.conversationId}`);
    expect(body.data.dynamic_variables).toEqual({ city: 'Berlin', booking_id: 'b-17', seat: '2' });
    await tried.workspace.api.delete(`/api/tools/${toolId}`);
    expect(await outcome(ask(call, { day: '3' }))).toMatchObject({
      status: 404,
      body: { error_code: 'TOOL_NOT_FOUND' },
    });
  });

  test('is in the list of its call and in its timeline, also for a credential of the agent', async () => {
    shop.answer(
      tried.path,
      answeringStatus(200),
      answeringStatus(500),
      answeringStatus(409),
      answeringStatus(429),
    );
    await createTool();
    const call = await takeCall();
    expect(await list(call)).toEqual([]);
    for (const day of ['1', '2', '3', '4']) await asked(call, { day });
    await asked(call, { day: '1' });

    const listed = await list(call);
    expect(listed.map(({ state, attempts, repeats }: Shown) => [state, attempts, repeats])).toEqual([
      ['done', 1, 1],
      ['unknown', 1, 0],
      ['refused', 1, 0],
      ['failed', 1, 0],
    ]);
    expect(listed[0]).toMatchObject({
      call_id: call.conversationId,
      tool: 'book_table',
      arguments: { day: '1' },
    });
    const { body } = await tried.workspace.api.get(`/api/calls/${call.conversationId}/timeline`);
    const entries = body.data.filter(({ kind }: Shown) => kind.startsWith('tool_'));
    expect(entries.map(({ kind, source, text }: Shown) => [kind, source, text])).toEqual(
      [
        'book_table was done in 0.0 s.',
        'It is not known whether book_table was done.',
        'book_table was refused after 0.0 s.',
        'book_table failed after 0.0 s, and was not done.',
      ].flatMap((text) => [
        ['tool_requested', 'runtime', 'The agent asked for book_table.'],
        ['tool_settled', 'server', expect.stringMatching(text.replace(/0\.0/, '\\d+\\.\\d')) as string],
      ]),
    );
    expect(entries[1].data).toEqual({
      ...{ invocation_id: listed[0].invocation_id, tool: 'book_table', state: 'done' },
      ms: expect.any(Number),
    });
    const stranger = await parley.workspace();
    expect(await outcome(stranger.api.get(`/api/calls/${call.conversationId}/tools`))).toEqual(
      callNotFound(),
    );
    const other = parley.scoped(tried.workspace, `agent:${await createAgent(tried.workspace)}`);
    expect(await outcome(other.get(`/api/calls/${call.conversationId}/tools`))).toEqual(callNotFound());
    expect((await own(call).get(`/api/calls/${call.conversationId}/tools`)).body.data).toEqual(listed);
  });

  test('of an address with parameters has them in its path and its query, encoded', async () => {
    await createTool({ url: `${shop.url(tried.path)}/{day}`, method: 'GET', fixed: { call: 'x&y' } });
    const call = await takeCall();

    expect(await asked(call, { day: '1/?#2', persons: 2, wishes: ['quiet'] })).toMatchObject({
      state: 'done',
    });
    expect(bookings().map((request) => request.path)).toEqual([
      `${tried.path}/1%2F%3F%232?persons=2&wishes=%5B%22quiet%22%5D&call=x%26y`,
    ]);
  });

  test('is the same for the same arguments in any order, for every asker, and also under its key', async () => {
    await createTool();
    const call = await takeCall();
    // As many as a workspace may have at once: one more is refused while none of them is recorded.
    const askings = await Promise.all([
      asked(call, { persons: 2, day: '2026-03-02' }),
      asked(call, MONDAY, { key: 'one' }),
      asked(call, MONDAY),
    ]);

    expect(new Set(askings.map(({ invocation_id }) => invocation_id)).size).toBe(1);
    expect(askings.filter(({ repeated }) => !repeated)).toHaveLength(1);
    expect(bookings()).toHaveLength(1);
    const again = await asked(call, { ...MONDAY, persons: 3 }, { key: 'two' });
    expect(again).toMatchObject({ repeated: false });
    expect(await asked(call, MONDAY, { key: 'two' })).toMatchObject({
      ...{ repeated: true, invocation_id: again.invocation_id, arguments: { ...MONDAY, persons: 3 } },
    });
    await tried.workspace.api.post('/api/tools', {
      name: 'other',
      description: 'Another one.',
      url: shop.url(tried.path),
    });
    const both = await createAgent(tried.workspace, { actions: ['book_table', 'other'] });
    const third = await (
      await worker.findOffer(await new AgentCalls(tried.workspace.api, both).start())
    ).take();
    await asked(third, MONDAY, { key: 'three' });
    const api = own(third, { 'idempotency-key': 'three' });
    const reused = api.post(`/api/calls/${third.conversationId}/tools/other`, { arguments: {} });
    expect(await outcome(reused)).toMatchObject({
      status: 422,
      body: { error_code: 'IDEMPOTENCY_KEY_REUSED' },
    });
    const other = await takeCall();
    expect(await asked(other)).toMatchObject({ repeated: false });
    expect(bookings()).toHaveLength(4);
  });

  test.each<[string, object, object[], number]>([
    ['once a call with once_by []', { once_by: [] }, [MONDAY, { day: '3' }], 1],
    [
      'once for the named parameters',
      { once_by: ['day'] },
      [MONDAY, { ...MONDAY, persons: 3 }, { day: '3' }],
      2,
    ],
    ['at each asking if it is repeatable', { effect: 'repeatable' }, [MONDAY, MONDAY], 2],
    ['at each asking if it only reads', { effect: 'read' }, [MONDAY, MONDAY], 2],
  ])('is sent %s', async (_, fields, askings, sent) => {
    await createTool(fields);
    const call = await takeCall();
    for (const given of askings) await asked(call, given);
    expect(bookings()).toHaveLength(sent);
  });

  const cut = (response: ServerResponse) => response.destroy();
  const late = answeringStatus(503, { 'retry-after': '0' });

  test.each<[string, Parameters<WebhookReceiver['answer']>[1][], object, string, number]>([
    ['no content', [answeringStatus(204)], {}, 'done', 1],
    [
      'a broken body',
      [
        (response) =>
          response.writeHead(200, { 'content-length': '9' }).write('{') &&
          void setImmediate(() => response.destroy()),
      ],
      {},
      'done',
      1,
    ],
    ['a body of more than 64 KB', [answeringJson('x'.repeat(70_000))], {}, 'done', 1],
    [
      'a body that is nested deeply',
      [(response) => void response.end('['.repeat(5_000) + ']'.repeat(5_000))],
      {},
      'done',
      1,
    ],
    ['a text', [(response) => void response.end('booked')], {}, 'done', 1],
    ['a refusal', [answeringJson({ reason: 'full' }, 409)], {}, 'refused', 1],
    [
      'a refusal of a tool that may be asked again',
      [answeringStatus(400)],
      { idempotent: true },
      'refused',
      1,
    ],
    ['too many requests', [answeringStatus(429)], {}, 'failed', 1],
    ['a server that asks to come later', [late], {}, 'failed', 1],
    [
      'a server that asks to come later, and then does it',
      [late, answeringStatus(200)],
      { idempotent: true },
      'done',
      2,
    ],
    ['an error', [answeringStatus(500)], {}, 'unknown', 1],
    ['errors, also at the third request', [answeringStatus(500)], { idempotent: true }, 'unknown', 3],
    ['a redirect', [answeringStatus(302, { location: '/' })], {}, 'unknown', 1],
    ['a cut connection', [cut], {}, 'unknown', 1],
    ['a cut connection, and then an answer', [cut, answeringStatus(200)], { idempotent: true }, 'done', 2],
    ['a cut connection, and then a refusal', [cut, answeringStatus(409)], { idempotent: true }, 'unknown', 2],
    ['an error of a tool that only reads', [answeringStatus(500)], { effect: 'read' }, 'failed', 3],
  ])('with %s is what came of it', async (_, answers, fields, state, sent) => {
    shop.answer(tried.path, ...answers);
    await createTool(fields);
    const call = await takeCall();

    const invocation = await asked(call);
    expect(invocation).toMatchObject({ state, result: invocation.result });
    expect(bookings()).toHaveLength(sent);
    expect(new Set(bookings().map(({ id }) => id))).toEqual(new Set([invocation.invocation_id]));
    expect(await asked(call)).toMatchObject({
      repeated: ['done', 'unknown'].includes(state) && !('effect' in fields),
    });
  });

  test.each([
    ['a host that refuses the connection', 'http://127.0.0.1:9/'],
    ['an unknown host', 'http://nobody.invalid/'],
  ])('to %s has failed, and may be asked for again', async (_, url) => {
    await createTool({ url, timeout_ms: 500 });
    const call = await takeCall();
    expect(await asked(call)).toMatchObject({ state: 'failed', repeated: false });
    expect(await asked(call)).toMatchObject({ state: 'failed', repeated: false });
  });

  test('that gets no answer is unknown after its time', async () => {
    shop.hold(tried.path);
    await createTool({ timeout_ms: 500 });
    const call = await takeCall();
    expect(await asked(call)).toMatchObject({
      state: 'unknown',
      result: null,
      error: 'it does not answer within 0.5 seconds',
    });
    expect(await asked(call)).toMatchObject({ state: 'unknown', repeated: true });
    expect(bookings()).toHaveLength(1);
  });

  test('goes on after the end of its call, and nobody has to wait for it', async () => {
    shop.hold(tried.path);
    await createTool({ mode: 'background', timeout_ms: 60_000 });
    const call = await takeCall();
    const { invocation_id, state } = await asked(call);
    expect(state).toBe('running');
    expect((await wait(call, invocation_id as string, 1)).state).toBe('running');
    await until(() => shop.holding === 1);
    await call.connected();
    await call.ended();
    await until(async () => {
      const { body } = await tried.workspace.api.get(`/api/calls/${call.conversationId}`);
      return body.data.status === 'disconnected';
    });

    const settled = wait(call, invocation_id as string);
    shop.release(tried.path, 200);
    expect(await settled).toMatchObject({ state: 'done', arguments: MONDAY });
    expect(await outcome(ask(call))).toMatchObject({ status: 200 });
    for (const [given, tool] of [
      [{ day: '3' }, 'book_table'],
      [{ day: 'Monday' }, 'book_table'],
      [{}, 'other'],
    ] as const)
      expect(await outcome(ask(call, given, { tool }))).toMatchObject({
        status: 409,
        body: { error_code: 'CALL_ENDED' },
      });
  });

  test('is seen on the stream of changes when it begins and when it is settled', async () => {
    shop.hold(tried.path);
    await createTool({ timeout_ms: 60_000 });
    const call = await takeCall();
    const listener = await EventListener.open(parley.url, tried.workspace);
    try {
      await until(() => listener.of('counts').length > 0);
      const { invocation_id } = await asked(call, MONDAY, { wait_ms: 0 });
      await until(() => listener.of('tool').length === 1);
      await until(() => shop.holding === 1);
      shop.release(tried.path);
      await until(() => listener.of('tool').length === 2);
      const seen = { call_id: call.conversationId, invocation_id };
      expect(listener.of('tool')).toEqual([
        { ...seen, state: 'running' },
        { ...seen, state: 'done' },
      ]);
    } finally {
      listener.close();
    }
  });

  test('that needs consent is asked for after the person', async () => {
    await createTool({ confirm: true });
    const call = await takeCall();
    expect(await outcome(ask(call))).toEqual(
      refused(409, 'The person has not been asked', {
        error_code: 'TOOL_NOT_CONFIRMED',
        error: { details: 'Ask the person first, and send `confirmed: true` if the person agrees.' },
      }),
    );
    expect(await asked(call, MONDAY, { confirmed: true })).toMatchObject({ state: 'done' });
  });

  test.each<[object, string, string]>([
    [{}, 'day', 'day is missing'],
    [{ day: 3 }, 'day', 'day must be a text'],
    [{ day: 'Monday' }, 'day', 'day must match ^\\d'],
    [{ day: '12345678901' }, 'day', 'day must have at most 10 characters'],
    [{ day: '1', persons: '2' }, 'persons', 'persons must be a whole number'],
    [{ day: '1', persons: 1.5 }, 'persons', 'persons must be a whole number'],
    [{ day: '1', persons: 13 }, 'persons', 'persons must be at most 12'],
    [{ day: '1', wishes: 'quiet' }, 'wishes', 'wishes must be a list'],
    [{ day: '1', wishes: ['loud'] }, 'wishes.0', '0 must be one of ["window","quiet"]'],
    [{ day: '1', wishes: ['quiet', 'quiet', 'quiet'] }, 'wishes', 'wishes must have at most 2 items'],
    [{ day: '1', guest: {} }, 'guest.name', 'name is missing'],
    [{ day: '1', table: 5 }, 'table', 'table is no parameter'],
  ])('with the arguments %j is refused in words for a model', async (given, field, message) => {
    await createTool();
    expect(await outcome(ask(await takeCall(), given))).toEqual(
      refused(422, 'Validation failed', {
        error_code: 'TOOL_ARGUMENTS_INVALID',
        errors: [{ field: `body.arguments.${field}`, message }],
      }),
    );
  });

  test('is refused with more text than a large regular expression can be compared with', async () => {
    const text = { type: 'string', pattern: 'a{200}$' };
    await createTool({ parameters: { type: 'object', properties: { one: text, two: text } } });
    const call = await takeCall();
    const right = 'a'.repeat(1_200);
    expect((await ask(call, { one: right, two: 'a' })).body.errors).toEqual([
      { field: 'body.arguments.two', message: 'two must match a{200}$' },
    ]);
    expect((await ask(call, { one: right, two: right.repeat(2) })).body.errors).toEqual([
      { field: 'body.arguments.two', message: 'two is too long to be compared with a{200}$' },
    ]);
  });

  test('shows no secret of its tool, also if the address repeats it', async () => {
    const secrets = { KEY: 'a key of "the shop"', PIN: '17' };
    await createTool({ headers: { 'x-key': '{{secret:KEY}}', 'x-pin': '{{secret:PIN}}' }, secrets });
    const call = await takeCall();
    shop.answer(
      tried.path,
      answeringJson({ sent: secrets.KEY, table: 17 }),
      answeringJson({ wrong: secrets.KEY }, 401),
    );
    expect((await asked(call, { day: '1' })).result).toEqual({ sent: '[KEY]', table: 17 });
    expect((await asked(call, { day: '2' })).error).toBe('it answers with status 401: {"wrong":"[KEY]"}');
  });

  test('has no argument that is fixed', async () => {
    const parameters = { ...PARAMETERS, additionalProperties: true };
    await createTool({ parameters, fixed: { price: '9' } });
    const call = await takeCall();
    expect((await ask(call, { day: '1', price: '0' })).body.errors).toEqual([
      { field: 'body.arguments.price', message: 'price is no parameter' },
    ]);
    await asked(call, { day: '1', guests: 2 });
    expect(bookings().map(({ payload }) => payload)).toEqual([{ day: '1', guests: 2, price: '9' }]);
  });

  test('is refused while as many run in the workspace as may, and other workspaces go on', async () => {
    shop.hold(tried.path);
    await createTool({ timeout_ms: 60_000 });
    const call = await takeCall();
    for (const day of ['1', '2', '3']) await asked(call, { day }, { wait_ms: 0, key: day });
    const busy = await ask(call, { day: '4' });
    expect(busy.body).toMatchObject({ status: 429, error_code: 'TOOLS_BUSY' });
    expect(busy.headers.get('retry-after')).toBe('1');
    expect(await asked(call, { day: '1' }, { wait_ms: 0, key: '1' })).toMatchObject({ repeated: true });

    const first = tried.workspace;
    tried.workspace = await parley.workspace();
    await createTool({ url: shop.url('/others') });
    expect(await asked(await takeCall())).toMatchObject({ state: 'done' });
    tried.workspace = first;
    shop.release(tried.path);
    expect(await until(async () => (await ask(call, { day: '4' })).status === 200)).toBe(true);
  });

  test('is one of at most 100 in a call', async () => {
    await createTool({ effect: 'repeatable' });
    const call = await takeCall();
    const { invocation_id } = await asked(call);
    await parley.sql(
      `INSERT INTO tool_invocations (id, workspace_id, conversation_id, agent_id, tool_id, tool, key, arguments, state, lease_ms, lease_until, settled_at, settled_by)
       SELECT gen_random_uuid(), workspace_id, conversation_id, agent_id, tool_id, tool, n::text, '{}', 'done', 1, now(), now(), 'server'
       FROM tool_invocations, generate_series(1, 99) AS n WHERE id = $1`,
      [invocation_id],
    );
    expect(await outcome(ask(call))).toMatchObject({
      status: 429,
      body: { error_code: 'TOOL_LIMIT_REACHED' },
    });
  });

  test('is for the credential of its call alone', async () => {
    await createTool();
    const [call, other] = [await takeCall(), await takeCall()];
    const foreign = (api: ApiClient) =>
      outcome(api.post(`/api/calls/${call.conversationId}/tools/book_table`, { arguments: MONDAY }));
    expect(await foreign(own(other))).toEqual(callNotFound());
    expect(await foreign(tried.workspace.api)).toEqual(outOfScope());
    const { invocation_id } = await asked(call);
    const url = `/api/calls/${other.conversationId}/tools/invocations/${invocation_id}`;
    expect(await outcome(own(other).get(url))).toMatchObject({ status: 404 });
    expect(
      await outcome(own(call).post(`/api/calls/${call.conversationId}/tools/other`, { arguments: {} })),
    ).toMatchObject({
      status: 404,
      body: { error_code: 'TOOL_NOT_FOUND' },
    });
  });

  /** Records an invocation whose server is gone, as a copy of one that runs. @returns its id */
  async function leave(call: TakenCall, changes: object = {}, tool = 'book_table'): Promise<string> {
    const { invocation_id } = await asked(call, MONDAY, { wait_ms: 0, tool });
    const id = randomUUID();
    await parley.sql(
      `INSERT INTO tool_invocations
       SELECT (jsonb_populate_record(invocation, $2::jsonb)).* FROM tool_invocations AS invocation WHERE id = $1`,
      [invocation_id, { id, key: `left ${id}`, same_as: null, lease_until: new Date(), ...changes }],
    );
    return id;
  }

  test.each<[string, object, string, number]>([
    ['is sent again with its key if it may be', { idempotent: true }, 'done', 1],
    ['is unknown otherwise', {}, 'unknown', 0],
  ])('whose server was ended %s, when its lease is over', async (_, fields, state, sent) => {
    shop.hold(tried.path);
    await createTool(fields);
    const call = await takeCall();
    const left = await leave(call);
    shop.answer(tried.path, answeringStatus(200));

    await until(async () => (await wait(call, left, 0)).state !== 'running');
    const listed = (await list(call)) as { invocation_id: string; attempts: number }[];
    expect(listed.find((each) => each.invocation_id === left)).toMatchObject({ state, attempts: 1 + sent });
    expect(bookings().filter(({ id }) => id === left)).toHaveLength(sent);
  });

  test.each([
    ['was emptied', `key = id::text`],
    ['was left again and again', `asked_at = '2026-01-01'`],
  ])('whose server was ended and that %s is not sent again', async (_, change) => {
    shop.hold(tried.path);
    await createTool({ idempotent: true });
    const call = await takeCall();
    const left = await leave(call, { lease_until: '2100-01-01' });
    await parley.sql(`UPDATE tool_invocations SET ${change}, lease_until = now() WHERE id = $1`, [left]);
    await until(async () => (await wait(call, left, 0)).state === 'unknown');
    expect(bookings().filter(({ id }) => id === left)).toEqual([]);
  });

  test('that no server goes on with is counted in the metrics', async () => {
    shop.hold(tried.path);
    await createTool();
    const left = await leave(await takeCall(), { lease_until: '2100-01-01' });
    const countLeft = () => readMetric(parley.url, 'tool_invocations_waiting{state="left"}');
    await parley.sql(
      `ALTER TABLE tool_invocations ADD CONSTRAINT is_never_taken CHECK (id <> '${left}' OR attempts = 0) NOT VALID`,
    );
    await parley.sql(`UPDATE tool_invocations SET lease_until = now() - interval '2 minutes' WHERE id = $1`, [
      left,
    ]);
    await until(async () => (await countLeft()) === 1);
    await parley.sql('ALTER TABLE tool_invocations DROP CONSTRAINT is_never_taken');
    await until(async () => (await countLeft()) === 0);
  });

  test('is settled by its server also if the row of its call is locked for longer than a statement waits', async () => {
    shop.hold(tried.path);
    await createTool();
    const call = await takeCall();
    const settled = asked(call);
    await until(() => shop.holding === 1);
    const client = new Client({ connectionString: parley.database.url });
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM conversations WHERE id = $1 FOR UPDATE', [call.conversationId]);
    shop.release(tried.path);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await until(async () => (await parley.sql(isWaiting)).length > 0);
    await until(async () => (await parley.sql(isWaiting)).length === 0);
    await client.query('ROLLBACK');
    await client.end();
    expect(await settled).toMatchObject({ state: 'done' });
  });

  test('whose server has it too long is settled by the one that has it then', async () => {
    const open: ServerResponse[] = [];
    shop.answer(tried.path, (response) => open.push(response));
    await createTool({ idempotent: true });
    const call = await takeCall();
    const { invocation_id } = await asked(call, MONDAY, { wait_ms: 0 });
    await until(() => open.length === 1);
    await parley.sql('UPDATE tool_invocations SET lease_until = now() WHERE id = $1', [invocation_id]);
    await until(() => open.length === 2);

    const [late, last] = open as [ServerResponse, ServerResponse];
    answeringStatus(409)(late);
    shop.answer(tried.path, answeringStatus(200));
    await asked(call, { day: '2' });
    expect((await wait(call, invocation_id, 0)).state).toBe('running');
    answeringStatus(200)(last);
    expect((await wait(call, invocation_id)).state).toBe('done');
    expect((await list(call))[0]).toMatchObject({ state: 'done', attempts: 2 });
  });

  test('whose server was ended does not wait for another one that is sent again', async () => {
    shop.hold(tried.path);
    await createTool({ idempotent: true });
    await createTool({ name: 'cancel_table' });
    const call = await takeCall({}, ['book_table', 'cancel_table']);
    const sent = await leave(call);
    await until(() => bookings().some(({ id }) => id === sent));
    const other = await leave(call, {}, 'cancel_table');
    await until(async () => (await wait(call, other, 0)).state === 'unknown');
    expect((await wait(call, sent, 0)).state).toBe('running');
  });
});
