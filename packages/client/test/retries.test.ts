import { Parley, ParleyError } from '@parley/client';
import { freePorts } from '../../../launch/process/free-ports.cjs';
import type { TestWorkspace } from '../../../test/support/parley';
import { watchTimers } from '../../../test/support/timers';
import { until } from '../../../test/support/until';
import { useStarted } from '../../../test/support/use-started';
import { ClientServer } from './support/client-server';
import { type Fault, refusal } from './support/faulty-proxy';

const server = useStarted(() => ClientServer.start());

const NOW = { 'retry-after': '0' };
const BUSY = refusal(503, 'DATABASE_BUSY', NOW);
const LIMITED = refusal(429, 'RATE_LIMITED', NOW);

/** A time limit of the client, which no timer of the server has. */
const TIMEOUT_MS = 28_765;

const NO_ID = '01890000-0000-7000-8000-000000000000';

const PHONE = '+15551234500';
const CSV = Buffer.from(`phone_number\n${PHONE}\n`);

/** The error that a promise rejects with, which must be one of the client. */
const failureOf = async (promise: Promise<unknown>): Promise<ParleyError> => {
  const failure: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toBeInstanceOf(ParleyError);
  return failure as ParleyError;
};

const count = async (list: AsyncIterable<unknown>): Promise<number> => {
  let items = 0;
  for await (const _ of list) items += 1;
  return items;
};

describe('What the client does about faults', () => {
  let workspace: TestWorkspace;
  let parley: Parley;
  let agentId: string;

  beforeAll(async () => {
    workspace = await server.workspace();
    parley = server.client(workspace);
    agentId = (await parley.agents.create({ type: 'outbound' }))._id;
  });
  beforeEach(() => server.proxy.fail());

  /** Starts a call while requests fail. @returns how many calls there are afterwards */
  async function startDespite(faults: Fault[], client = parley): Promise<number> {
    const before = await count(parley.calls.list());
    server.proxy.fail(...faults);
    const { conversation_id } = await client.calls.start(agentId, { to_number: PHONE });
    const keys = new Set(server.proxy.requests.map(({ headers }) => headers['idempotency-key']));
    expect(keys.size).toBe(1);
    expect([...keys][0]).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
    expect(server.proxy.requests).toHaveLength(faults.length + 1);
    expect((await parley.calls.get(conversation_id)).agent.id).toBe(agentId);
    return (await count(parley.calls.list())) - before;
  }

  test.each<[string, Fault[]]>([
    ['429 and 503', [LIMITED, BUSY]],
    ['the request is lost', [{ cut: 'request' }]],
    ['the answer is lost', [{ cut: 'answer' }]],
    ['the answer is lost twice', [{ cut: 'answer' }, { cut: 'answer' }]],
    ['half of the answer is lost', [{ cut: 'body' }]],
    ['a proxy cannot reach the server', [{ answer: 502, body: '<h1>Bad gateway</h1>' }]],
    ['the outcome is unknown', [refusal(500, 'OUTCOME_UNKNOWN')]],
    [
      'another request with the key is in progress, for more often than it retries',
      Array.from({ length: 4 }, () => refusal(409, 'IDEMPOTENCY_KEY_IN_USE', NOW)),
    ],
  ])('starts a call once: %s', async (_, faults) => {
    expect(await startDespite(faults)).toBe(1);
  });

  /** Ends the time limit of the client when the server has answered, too late. */
  async function endLimitWhenAnswered(limits: ReturnType<typeof watchTimers>): Promise<void> {
    await until(() => server.proxy.requests[0]?.isAnswered);
    limits.end();
  }

  test('starts a call once: the answer is late', async () => {
    const limits = watchTimers(TIMEOUT_MS);
    const client = server.client(workspace, { timeoutMs: TIMEOUT_MS });
    const [started] = await Promise.all([
      startDespite([{ late: true }], client),
      endLimitWhenAnswered(limits),
    ]);
    limits.stop();
    expect(started).toBe(1);
  });

  test('starts one call if two programs start it at once with one key', async () => {
    const before = await count(parley.calls.list());
    const start = () =>
      parley.calls.start(agentId, { to_number: PHONE }, { idempotencyKey: 'both', maxRetries: 0 });
    const started = await Promise.all([start(), start(), start()]);
    expect(new Set(started.map(({ conversation_id }) => conversation_id)).size).toBe(1);
    expect((await count(parley.calls.list())) - before).toBe(1);
    await expect(
      parley.calls.start(agentId, { to_number: '+15551234599' }, { idempotencyKey: 'both' }),
    ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' });
  });

  test('creates one agent, tool, knowledge base and campaign, and restores one version, if answers are lost', async () => {
    const lost: Fault[] = [{ cut: 'answer' }];
    server.proxy.fail(...lost);
    const { _id } = await parley.agents.create({ type: 'chat', name: 'Once' });
    expect(await count(parley.agents.list({ search: 'Once' }))).toBe(1);

    server.proxy.fail(...lost);
    await parley.tools.create({ name: 'once', description: 'Once.', url: 'http://127.0.0.1:9/' });
    expect(await count(parley.tools.list())).toBe(1);

    server.proxy.fail(...lost);
    await parley.agents.restore(_id, 1);
    expect(await count(parley.agents.versions(_id))).toBe(2);

    server.proxy.fail(...lost);
    const file = Buffer.from('We are open from nine to five.');
    const { kb_id } = await parley.knowledgeBases.create({ name: 'Once', file });
    expect(await count(parley.knowledgeBases.list())).toBe(1);

    server.proxy.fail(...lost);
    await parley.knowledgeBases.sources.add(kb_id, { file: new File(['Closed on Sunday.'], 'more.txt') });
    const [base] = (await parley.knowledgeBases.list().page(1)).data;
    expect(base?.sources.map(({ name }) => name)).toEqual(['document.txt', 'more.txt']);

    server.proxy.fail(...lost);
    await parley.campaigns.create({ file: CSV, campaignName: 'Once', assistantId: agentId });
    expect(await count(parley.campaigns.list())).toBe(1);
  });

  test('replaces a source once: the server is busy, and the answer is lost', async () => {
    const file = Buffer.from('We are open from nine to five.');
    const { kb_id } = await parley.knowledgeBases.create({ name: 'Replaced', file });
    const [base] = (await parley.knowledgeBases.list({ search: 'Replaced' }).page(1)).data;
    const sourceId = base?.sources[0]?._id ?? '';
    server.proxy.fail(BUSY, { cut: 'answer' });
    const replaced = await parley.knowledgeBases.sources.replace(kb_id, sourceId, {
      file: Buffer.from('Closed'),
    });
    expect(replaced._id).toBe(sourceId);
    expect(server.proxy.requests.map(({ isPassedOn }) => isPassedOn)).toEqual([false, true, true]);
    expect(await count(parley.audit.list({ action: 'knowledge_base.source_replaced' }))).toBe(1);
  });

  test('repeats what has the same effect twice, and finds that a deletion was done', async () => {
    const { _id } = await parley.agents.create({ type: 'outbound', name: 'Before' });
    server.proxy.fail({ cut: 'answer' }, BUSY);
    expect((await parley.agents.update(_id, { type: 'outbound', name: 'After' })).name).toBe('After');
    server.proxy.fail(LIMITED, { cut: 'request' });
    expect((await parley.agents.get(_id)).name).toBe('After');
    server.proxy.fail({ cut: 'answer' });
    await parley.agents.delete(_id);
    expect(server.proxy.requests).toHaveLength(2);
    server.proxy.fail(BUSY);
    expect(await failureOf(parley.agents.delete(_id))).toMatchObject({ code: 'AGENT_NOT_FOUND' });
  });

  test('does not take the page of a proxy for a deletion that was done', async () => {
    const { _id } = await parley.agents.create({ type: 'outbound', name: 'Kept' });
    server.proxy.fail({ answer: 502, body: 'Bad Gateway' }, { answer: 404, body: '404 page not found' });
    expect(await failureOf(parley.agents.delete(_id))).toMatchObject({ code: 'INVALID_RESPONSE' });
    expect((await parley.agents.get(_id)).name).toBe('Kept');
  });

  test('refuses a page of a proxy that comes instead of an export', async () => {
    server.proxy.fail({
      answer: 200,
      headers: { 'content-type': 'text/html' },
      body: '<html>Sign in</html>',
    });
    expect(await failureOf(parley.calls.export())).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
  });

  test('refuses an argument that cannot be sent, and sends nothing', async () => {
    const file = 'people.csv' as unknown as Buffer;
    for (const send of [
      () => parley.campaigns.create({ file, campaignName: 'Wrong', assistantId: agentId }),
      () => parley.doNotCall.import({ file }),
      () => parley.knowledgeBases.create({ name: 'Wrong', file }),
      () => parley.agents.restore(agentId, undefined as unknown as number),
    ])
      await expect(send()).rejects.toThrow(TypeError);
    expect(server.proxy.requests).toEqual([]);
  });

  test.each<[string, (client: Parley) => Promise<unknown>]>([
    ['a test event', (client) => client.webhooks.test({ url: 'http://127.0.0.1:9/' })],
    ['a rotation of the secret', (client) => client.webhooks.rotate()],
    ['an invocation that is sent again', (client) => client.toolInvocations.resend(NO_ID)],
    ['a test of a tool', (client) => client.tools.test(NO_ID, { arguments: {} })],
    ['a listed number', (client) => client.doNotCall.add({ phone_number: '+15550000001' })],
  ])('never repeats %s', async (_, send) => {
    server.proxy.fail({ cut: 'answer' });
    expect(await failureOf(send(parley))).toMatchObject({ status: 0, code: 'CONNECTION_FAILED' });
    expect(server.proxy.requests).toHaveLength(1);
    server.proxy.fail(BUSY);
    expect(await failureOf(send(parley))).toMatchObject({ status: 503, retryAfter: 0 });
    expect(server.proxy.requests).toHaveLength(1);
  });

  test('never replays a delivery twice', async () => {
    const { delivery_id } = await parley.webhooks.test({ url: 'http://127.0.0.1:9/' });
    await until(async () => (await parley.webhooks.delivery(delivery_id)).attempt_count > 0);
    server.proxy.fail({ cut: 'request' });
    await failureOf(parley.webhooks.replay(delivery_id));
    expect(server.proxy.requests).toHaveLength(1);
  });

  test('repeats a change without a key only if nothing was done', async () => {
    server.proxy.fail(refusal(500, 'OUTCOME_UNKNOWN'));
    const change = parley.workspace.setRetention({
      calls_days: null,
      recordings_days: null,
      transcripts_days: 9,
    });
    expect(await failureOf(change)).toMatchObject({ status: 500, code: 'OUTCOME_UNKNOWN' });
    expect(server.proxy.requests).toHaveLength(1);
  });

  test('gives up after maxRetries, and at once if it would have to wait for more than 30 seconds', async () => {
    server.proxy.fail(BUSY, BUSY, BUSY, BUSY);
    expect(await failureOf(parley.workspace.get())).toMatchObject({ status: 503, code: 'DATABASE_BUSY' });
    expect(server.proxy.requests).toHaveLength(3);
    server.proxy.fail(BUSY);
    await failureOf(parley.workspace.get({ maxRetries: 0 }));
    expect(server.proxy.requests).toHaveLength(1);
    server.proxy.fail(refusal(429, 'RATE_LIMITED', { 'retry-after': '31' }));
    expect(await failureOf(parley.workspace.get())).toMatchObject({ retryAfter: 31 });
    expect(server.proxy.requests).toHaveLength(1);
  });

  test('waits for as long as Retry-After says', async () => {
    const pauses = watchTimers(17_000, 17_100);
    server.proxy.fail(refusal(503, 'DATABASE_BUSY', { 'retry-after': '17' }));
    const reading = parley.workspace.get();
    await until(() => pauses.running === 1);
    expect(server.proxy.requests).toHaveLength(1);
    pauses.end();
    await reading;
    pauses.stop();
    expect(server.proxy.requests).toHaveLength(2);
  });

  test('says that there was no answer, within the time limit', async () => {
    const limits = watchTimers(TIMEOUT_MS);
    server.proxy.fail({ late: true });
    const reading = failureOf(parley.workspace.get({ timeoutMs: TIMEOUT_MS, maxRetries: 0 }));
    await endLimitWhenAnswered(limits);
    limits.stop();
    expect(await reading).toMatchObject({ status: 0, code: 'TIMEOUT' });
    const [port] = await freePorts(1);
    const nowhere = new Parley({ baseUrl: `http://127.0.0.1:${port}`, apiKey: 'key', maxRetries: 0 });
    expect(await failureOf(nowhere.workspace.get())).toMatchObject({
      status: 0,
      code: 'CONNECTION_FAILED',
      message: expect.stringContaining('ECONNREFUSED') as string,
    });
  });

  test('ends at once when its signal aborts, also between two attempts', async () => {
    const stop = new AbortController();
    server.proxy.fail(refusal(503, 'DATABASE_BUSY', { 'retry-after': '20' }));
    const reading = parley.workspace.get({ signal: stop.signal });
    await until(() => server.proxy.requests.length > 0);
    stop.abort(new Error('Enough'));
    await expect(reading).rejects.toThrow('Enough');
    await expect(parley.workspace.get({ signal: stop.signal })).rejects.toThrow('Enough');
    expect(server.proxy.requests).toHaveLength(1);
  });

  test('refuses the answers of others, and sends its key to no other address', async () => {
    server.proxy.fail({ answer: 200, body: '<html>Welcome</html>' });
    expect(await failureOf(parley.workspace.get())).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
    const json = { 'content-type': 'application/json' };
    for (const body of ['{}', 'null', '[]', '', '{"message":"Welcome"}']) {
      server.proxy.fail({ answer: 200, headers: json, body });
      expect(await failureOf(parley.workspace.get())).toMatchObject({
        status: 200,
        code: 'INVALID_RESPONSE',
      });
    }
    server.proxy.fail({ answer: 200, headers: { ...json, 'x-request-id': 'r1' }, body: '{"data":' });
    expect(await failureOf(parley.workspace.get())).toMatchObject({
      status: 200,
      code: 'INVALID_RESPONSE',
      requestId: 'r1',
      message: expect.stringContaining('/api/workspace with status 200 is not JSON') as string,
    });
    server.proxy.fail({ answer: 200, headers: json, body: '{}' });
    expect(await failureOf(parley.agents.delete('id'))).toMatchObject({ code: 'INVALID_RESPONSE' });
    server.proxy.fail({ answer: 302, headers: { location: `${server.proxy.url}/elsewhere` } });
    expect(await failureOf(parley.workspace.get())).toMatchObject({
      status: 302,
      message: expect.stringContaining('/elsewhere') as string,
    });
    expect(server.proxy.requests).toHaveLength(1);
  });
});
