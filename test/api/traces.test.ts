import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from 'pg';
import { createDatabase } from '../support/database';
import type { ApiClient } from '../support/client';
import { createCampaign, csv } from '../support/campaigns';
import { AgentCalls } from '../support/calls';
import { McpClient } from '../support/mcp';
import { ServerProcess } from '../support/server-process';
import { type ReceivedSpan, TraceReceiver } from '../support/trace-receiver';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

/** These texts must not be in a trace. */
const PROMPT = 'You are the secret keeper of the harbour.';
const PERSON = 'Ada Lovelace';
const NUMBER = '+15551234588';
const SECRET = 'swordfish-4711';

const SETTINGS = {
  JWT_SECRET: 'a secret of thirty-two bytes or more',
  ALLOW_PRIVATE_ADDRESSES: 'true',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

/** @returns the spans of the drawing in the page about traces, each behind its parent */
function readDrawing(): string[] {
  const page = readFileSync(join(__dirname, '..', '..', 'docs', 'traces.md'), 'utf8');
  const [, drawing = ''] = /```\n(POST [^]*?)\n```/.exec(page) ?? [];
  const path: string[] = [];
  const edges = drawing.split('\n').map((line) => {
    const [, branch = '', name = ''] = /^([│├└─ ]*)(.+?)(?: {2,}.*)?$/.exec(line) ?? [];
    const depth = branch.length / 3;
    path.splice(depth, path.length, name);
    return `${path[depth - 1] ?? ''} > ${name}`;
  });
  expect(edges.length).toBeGreaterThan(10);
  return edges;
}

describe('With a receiver of traces', () => {
  const receiver = useStarted(() => TraceReceiver.start());
  const webhooks = useStarted(() => WebhookReceiver.start());
  let databaseUrl: string;
  let server: ServerProcess;
  let api: ApiClient;
  let agentId: string;

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createDatabase();
    databaseUrl = DATABASE_URL;
    server = await ServerProcess.start({
      ...SETTINGS,
      DATABASE_URL,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20tracing',
      OTEL_SERVICE_NAME: 'parley-test',
      PUBLIC_URL: 'https://parley.example',
    });
    api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const { body } = await api.post('/api/agents', {
      type: 'outbound',
      name: 'Harbour desk',
      prompt: PROMPT,
    });
    agentId = (body as { data: { _id: string } }).data._id;
  });
  afterAll(() => server?.stop());

  const callWith = async (headers: Record<string, string>, fields: object = {}): Promise<string> => {
    const client = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '', ...headers });
    const calls = new AgentCalls(client, agentId);
    const id = await calls.start({ to_number: NUMBER, customer_name: PERSON, ...fields });
    await calls.reached(id, 'disconnected');
    return id;
  };

  const spanOf = (spans: ReceivedSpan[], name: string | RegExp): ReceivedSpan => {
    const found = spans.find((span) =>
      typeof name === 'string' ? span.name === name : name.test(span.name),
    );
    if (!found)
      throw new Error(`There is no span ${String(name)} among ${spans.map((span) => span.name).join(', ')}.`);
    return found;
  };

  const traceOfCall = (id: string, isComplete: (spans: ReceivedSpan[]) => boolean): Promise<ReceivedSpan[]> =>
    until(() => {
      const [first] = receiver.spans.filter(({ attributes }) => attributes['parley.call_id'] === id);
      const spans = first ? receiver.ofTrace(first.traceId) : [];
      return isComplete(spans) && spans;
    });

  const hasEnd = (spans: ReceivedSpan[]) => spans.some(({ name }) => name === 'process call.ended.v1');

  test('one call is one trace, which continues that of the client and has real parents', async () => {
    const id = await callWith({ traceparent: TRACEPARENT }, { webhook_url: webhooks.url('/calls') });

    const spans = await traceOfCall(
      id,
      (found) => hasEnd(found) && found.filter(({ name }) => name === 'POST webhook').length === 2,
    );

    const request = spanOf(spans, 'POST /api/agents/:agent_id/calls');
    expect(request).toMatchObject({ traceId: TRACE, parentSpanId: 'b7ad6b7169203331', kind: 2 });
    expect(request.attributes).toMatchObject({
      'http.request.method': 'POST',
      'http.route': '/api/agents/:agent_id/calls',
      'http.response.status_code': 200,
      'url.scheme': 'https',
      'server.address': 'parley.example',
      'server.port': 443,
      'parley.workspace_id': server.demo?.workspaceId,
      'parley.call_id': id,
      'parley.agent_id': agentId,
    });
    const accept = spanOf(spans, 'accept-unlocked-calls');
    expect(accept).toMatchObject({ parentSpanId: request.spanId, kind: 3 });
    expect(accept.attributes).toMatchObject({ 'db.system.name': 'postgresql', 'db.operation.name': 'WITH' });
    const publish = spanOf(spans, 'publish call.start.v1');
    expect(publish).toMatchObject({ parentSpanId: request.spanId, kind: 4 });
    expect(publish.attributes).toMatchObject({ 'parley.call_id': id, 'parley.agent_id': agentId });
    const handler = spanOf(spans, 'handle call');
    expect(handler).toMatchObject({ parentSpanId: publish.spanId, kind: 5 });
    for (const type of ['claim', 'connected', 'ended']) {
      const event = spanOf(spans, `process call.${type}.v1`);
      // The worker claims the call before its handler runs, and its handler reports.
      const parent = type === 'claim' ? request : spanOf(spans, `publish call.${type}.v1`);
      expect({ type, parent: event.parentSpanId }).toEqual({ type, parent: parent.spanId });
      if (parent !== request) expect(parent).toMatchObject({ parentSpanId: handler.spanId, kind: 4 });
      expect(event.attributes).toMatchObject({
        'parley.call_id': id,
        'parley.workspace_id': server.demo?.workspaceId,
        'parley.agent_id': agentId,
      });
      expect(spans.filter(({ parentSpanId }) => parentSpanId === event.spanId).length).toBeGreaterThan(0);
    }
    const ofBroker = spans.filter(({ attributes }) => 'messaging.system' in attributes);
    expect(ofBroker.length).toBeGreaterThanOrEqual(7);
    for (const { name, attributes } of ofBroker) {
      const isPublish = name.startsWith('publish ');
      const destinations: Record<string, string> = {
        'publish call.start.v1': 'voice.calls',
        'handle call': 'voice.calls.default',
        'process call.claim.v1': 'voice.claims',
      };
      expect({ name, ...attributes }).toMatchObject({
        name,
        'messaging.system': 'in-process',
        'messaging.operation.name': isPublish ? 'publish' : 'process',
        'messaging.operation.type': isPublish ? 'send' : 'process',
        'messaging.destination.name':
          destinations[name] ?? (isPublish ? 'voice.events' : 'voice.events.server'),
      });
    }
    const posts = spans.filter(({ name }) => name === 'POST webhook');
    const sent = webhooks.at('/calls').map(({ headers }) => headers.traceparent);
    expect(sent.sort()).toEqual(posts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
    const { hostname, port } = new URL(webhooks.url('/calls'));
    for (const { attributes } of posts)
      expect(attributes).toMatchObject({
        'http.response.status_code': 204,
        'url.scheme': 'http',
        'server.address': hostname,
        'server.port': Number(port),
      });
    // The span of a request arrives after those below it.
    await until(() => {
      const all = receiver.ofTrace(TRACE);
      const ids = new Set([...all.map(({ spanId }) => spanId), 'b7ad6b7169203331']);
      return all.every(({ parentSpanId = '' }) => ids.has(parentSpanId));
    });
    const all = receiver.ofTrace(TRACE);
    const nameOfParent = ({ parentSpanId }: ReceivedSpan) =>
      all.find(({ spanId }) => spanId === parentSpanId)?.name;
    const recorded = all.map((span) => `${nameOfParent(span) ?? ''} > ${span.name}`);
    expect(readDrawing().filter((drawn) => !recorded.includes(drawn))).toEqual([]);
  });

  test('an attempt of a webhook that failed is an error, with the status of its answer if there was one', async () => {
    webhooks.answer('/gone', answeringStatus(410));
    const readError = async (webhook_url: string) => {
      const id = await callWith({}, { webhook_url });
      const { status, attributes } = await until(() =>
        receiver.spans.find(
          (span) => span.name === 'POST webhook' && span.attributes['parley.call_id'] === id,
        ),
      );
      return [status?.code, attributes['error.type'], attributes['http.response.status_code']];
    };

    expect(await readError(webhooks.url('/gone'))).toEqual([2, '410', 410]);
    expect(await readError('http://127.0.0.1:9/calls')).toEqual([2, '_OTHER', undefined]);
  });

  test('a trace begins with the request if it came without one', async () => {
    const spans = await traceOfCall(await callWith({}), hasEnd);

    expect(spanOf(spans, 'POST /api/agents/:agent_id/calls').parentSpanId ?? '').toBe('');
    expect(spanOf(spans, 'handle call').traceId).toBe(spans[0]?.traceId);
  });

  test('calls of a campaign have traces of their own, with a link to what started them', async () => {
    const numbers = ['+15552000010', '+15552000011'];
    const campaignId = await createCampaign(api, agentId, csv(['phone_number', ...numbers].join('\n')));

    const begun = await until(() => {
      const found = receiver.spans.filter(
        ({ name, attributes }) =>
          name === 'start a call of a campaign' && attributes['parley.campaign_id'] === campaignId,
      );
      return found.length === 2 && found;
    });

    expect(new Set(begun.map(({ traceId }) => traceId)).size).toBe(2);
    const links = begun.map(({ links: of }) => of?.[0]?.spanId);
    await until(() =>
      receiver.spans.some(({ spanId, name }) => spanId === links[0] && name === 'accept calls of a campaign'),
    );
    for (const { traceId, spanId } of begun) {
      const spans = await until(() => hasEnd(receiver.ofTrace(traceId)) && receiver.ofTrace(traceId));
      expect(spanOf(spans, 'publish call.start.v1').parentSpanId).toBe(spanId);
      expect(spanOf(spans, 'handle call').parentSpanId).toBe(spanOf(spans, 'publish call.start.v1').spanId);
    }
  });

  test('a call that reaches a runtime is one trace, which begins with its claim and goes on in the worker', async () => {
    const { body } = await api.post('/api/agents', { type: 'hybrid', name: 'Reception' });
    const reception = (body as { data: { _id: string } }).data._id;
    const assigned = { phone_number: '+15552000020' };
    expect((await api.put(`/api/agents/${reception}/phone-number`, assigned)).status).toBe(200);
    // The person of this number hangs up and calls back.
    const outbound = await new AgentCalls(api, reception).start({ to_number: '+15552000006' });
    const id = await until(async () => {
      const { data } = (await api.get(`/api/calls?agent_id=${reception}&direction=inbound`)).body;
      return (data as { call_id: string }[])[0]?.call_id;
    });
    const spans = await traceOfCall(id, (found) => {
      const ids = new Set(found.map(({ spanId }) => spanId));
      return (
        hasEnd(found) && found.every(({ parentSpanId = '' }) => parentSpanId === '' || ids.has(parentSpanId))
      );
    });

    const ofCall = {
      'parley.call_id': id,
      'parley.workspace_id': server.demo?.workspaceId,
      'parley.agent_id': reception,
    };
    const processed = { 'messaging.operation.name': 'process', 'messaging.operation.type': 'process' };
    const inProcess = { 'messaging.system': 'in-process' };
    expect(spans.filter(({ parentSpanId = '' }) => parentSpanId === '').map(({ name }) => name)).toEqual([
      'process call.incoming.v1',
    ]);
    const incoming = spanOf(spans, 'process call.incoming.v1');
    expect(incoming.kind).toBe(5);
    const claims = { 'messaging.destination.name': 'voice.claims' };
    expect(incoming.attributes).toEqual({ ...ofCall, ...processed, ...inProcess, ...claims });
    const accept = spanOf(spans, 'accept-unlocked-incoming-calls');
    expect(accept).toMatchObject({ parentSpanId: incoming.spanId, kind: 3 });
    // No queue has the call, which the worker claims by reporting that it is there.
    const handler = spanOf(spans, 'handle call');
    expect(handler).toMatchObject({ parentSpanId: incoming.spanId, kind: 5 });
    expect(handler.attributes).toEqual({ ...ofCall, ...processed, ...inProcess });
    for (const type of ['connected', 'ended']) {
      const publish = spanOf(spans, `publish call.${type}.v1`);
      expect(publish).toMatchObject({ parentSpanId: handler.spanId, kind: 4 });
      const event = spanOf(spans, `process call.${type}.v1`);
      expect(event).toMatchObject({ parentSpanId: publish.spanId, kind: 5 });
      expect(event.attributes).toMatchObject(ofCall);
    }
    const names = spans.map(({ name }) => name);
    expect(names.filter((name) => /call\.(start|claim)\.v1$/.test(name))).toEqual([]);

    const tracesOf = (call: string) =>
      new Set(
        receiver.spans
          .filter(({ attributes }) => attributes['parley.call_id'] === call)
          .map(({ traceId }) => traceId),
      );
    expect([...tracesOf(id)]).toEqual([incoming.traceId]);
    expect(tracesOf(outbound)).not.toContain(incoming.traceId);
  });

  test('no trace has a key, a prompt, a name, a number, a path or a query in it', async () => {
    await api.get(`/api/calls?number=${encodeURIComponent(NUMBER)}&customer_name=Lovelace`);
    await api.delete(`/api/do-not-call/${encodeURIComponent(NUMBER)}`);
    await api.post(`/api/agents/${agentId}/calls`, { to_number: 'no number', customer_name: PERSON });
    await until(() => receiver.spans.some(({ name }) => name === 'DELETE /api/do-not-call/:phone_number'));

    expect(receiver.headers[0]?.authorization).toBe('Bearer tracing');
    expect(receiver.raw).toContain('parley-test');
    expect(receiver.raw).toContain(agentId);
    for (const secret of [
      server.demo?.apiKey ?? '-',
      PROMPT,
      'harbour',
      PERSON,
      'Lovelace',
      NUMBER,
      NUMBER.slice(1),
      '15552000010',
      '15552000006',
      '15552000020',
      'customer_name',
      '/calls?',
      webhooks.url('/calls'),
      SETTINGS.JWT_SECRET,
      'tracing',
    ])
      expect({ secret, isFound: receiver.raw.toLowerCase().includes(secret.toLowerCase()) }).toEqual({
        secret,
        isFound: false,
      });
  });

  describe('no trace has a secret or a person in it', () => {
    const FOREIGN = { tracestate: `vendor=${SECRET}`, baggage: `customer=${SECRET}` };

    /** Waits until a span has arrived that was not there before the work. */
    const spanAfter = async (work: () => Promise<unknown>, isIt: (span: ReceivedSpan) => boolean) => {
      const before = receiver.spans.length;
      await work();
      return until(() => receiver.spans.slice(before).find(isIt));
    };

    const expectNowhere = (...secrets: string[]) => {
      const sent = receiver.raw.toLowerCase();
      for (const secret of secrets) {
        expect(secret).not.toBe('');
        expect({ secret, isFound: sent.includes(secret.toLowerCase()) }).toEqual({ secret, isFound: false });
      }
    };

    const isRoute = (route: string) => (span: ReceivedSpan) => span.attributes['http.route'] === route;

    test('with arguments, credentials and queries of /mcp', async () => {
      const { body } = await api.post('/api/auth/api-keys', { name: PERSON, scope: ['mcp:act'] });
      const key = body.data.apiKey as string;
      const assistant = await McpClient.connect(server.url, { 'x-api-key': key, ...FOREIGN });
      await spanAfter(async () => {
        await assistant.use('start_call', {
          agent_id: agentId,
          to_number: NUMBER,
          customer_name: PERSON,
          idempotency_key: SECRET,
        });
        await assistant.use('find_calls', { number: NUMBER });
        await assistant.use('add_do_not_call', { phone_number: '+15559871234', reason: SECRET });
        expect((await assistant.call('get_call', { call_id: SECRET })).isError).toBe(true);
        await expect(assistant.call(SECRET)).rejects.toThrow();
      }, isRoute('/mcp'));
      await assistant.close();
      await spanAfter(
        () => api.post(`/mcp?api_key=${SECRET}`, { jsonrpc: '2.0', id: SECRET, method: SECRET }),
        isRoute('/mcp'),
      );

      expectNowhere(SECRET, key, PERSON, NUMBER.slice(1), '15559871234', 'start_call', 'find_calls');
    });

    test('with credentials in headers, queries and bodies, of people and sessions', async () => {
      const invited = await api.post('/api/people', {
        name: PERSON,
        email: 'ada@harbour.example',
        role: 'admin',
      });
      const link = invited.body.data.url as string;
      const oneTime = link.replace(/^.*token=/, '');
      const token = (await api.post('/api/auth/tokens', {})).body.data.token as string;
      const webhookSecret = (await api.get('/api/webhooks/secret')).body.data.secret as string;
      const own = { 'sec-fetch-site': 'same-origin', 'x-parley-session': '1' };
      await spanAfter(async () => {
        await server.api
          .with({ ...own, ...FOREIGN })
          .post(`/api/session?token=${SECRET}`, { token: oneTime });
        await server.api.with({ authorization: `Bearer ${token}` }).get(`/api/calls?access_token=${SECRET}`);
        await server.api.with({ 'x-api-key': SECRET }).get(`/api/agents/${SECRET}?key=${SECRET}`);
        await api.get(`/api/${SECRET}/${encodeURIComponent(NUMBER)}`);
        await server.api
          .with({ 'x-api-key': server.demo?.apiKey ?? '', traceparent: `00-${SECRET}-${PERSON}-01` })
          .get('/api/workspace');
      }, isRoute('/api/workspace'));

      expectNowhere(SECRET, oneTime, token, webhookSecret, PERSON, 'harbour.example', NUMBER.slice(1));
    });

    test('with what an error of the database quotes, in an answer of 500', async () => {
      const database = new Client(databaseUrl);
      await database.connect();
      await database.query(`
        CREATE FUNCTION quote_name() RETURNS trigger LANGUAGE plpgsql AS $$
          BEGIN RAISE EXCEPTION 'the name % is refused', NEW.name USING DETAIL = NEW.name, HINT = NEW.name; END $$;
        CREATE TRIGGER quote_name BEFORE INSERT ON agents FOR EACH ROW EXECUTE FUNCTION quote_name()`);
      try {
        const request = await spanAfter(
          async () => {
            const answer = await api.post('/api/agents', { type: 'outbound', name: `${SECRET} ${PERSON}` });
            expect(answer.status).toBe(500);
          },
          ({ attributes }) => attributes['http.response.status_code'] === 500,
        );
        expect(request.attributes).toMatchObject({ 'http.route': '/api/agents', 'error.type': '500' });
        const failed = receiver.ofTrace(request.traceId).map(({ attributes }) => attributes['error.type']);
        expect(failed).toContain('P0001');
        expectNowhere(SECRET, PERSON, 'is refused');
      } finally {
        await database.query('DROP FUNCTION quote_name CASCADE');
        await database.end();
      }
    });
  });

  test('lines of the log have the id of the trace', async () => {
    await api
      .with({ 'x-api-key': server.demo?.apiKey ?? '', traceparent: TRACEPARENT })
      .get('/api/workspace');

    await until(() =>
      server.output
        .split('\n')
        .some((line) => line.includes('/api/workspace') && line.includes(`"trace_id":"${TRACE}"`)),
    );
  });
});
