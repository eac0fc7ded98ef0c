import { createDatabase } from '../support/database';
import type { ApiClient } from '../support/client';
import { createCampaign, csv } from '../support/campaigns';
import { AgentCalls } from '../support/calls';
import { ServerProcess } from '../support/server-process';
import { type ReceivedSpan, TraceReceiver } from '../support/trace-receiver';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { WebhookReceiver } from '../support/webhook-receiver';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const TRACEPARENT = `00-${TRACE}-b7ad6b7169203331-01`;

/** These texts must not be in a trace. */
const PROMPT = 'You are the secret keeper of the harbour.';
const PERSON = 'Ada Lovelace';
const NUMBER = '+15551234588';

const SETTINGS = {
  JWT_SECRET: 'a secret of thirty-two bytes or more',
  ALLOW_PRIVATE_ADDRESSES: 'true',
  OTEL_BSP_SCHEDULE_DELAY: '100',
};

describe('With a receiver of traces', () => {
  const receiver = useStarted(() => TraceReceiver.start());
  const webhooks = useStarted(() => WebhookReceiver.start());
  let server: ServerProcess;
  let api: ApiClient;
  let agentId: string;

  beforeAll(async () => {
    const { url: DATABASE_URL } = await createDatabase();
    server = await ServerProcess.start({
      ...SETTINGS,
      DATABASE_URL,
      OTEL_EXPORTER_OTLP_ENDPOINT: `${receiver.url}/`,
      OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20tracing',
      OTEL_SERVICE_NAME: 'parley-test',
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
      'parley.workspace_id': server.demo?.workspaceId,
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
      expect({ type, parent: event.parentSpanId }).toEqual({ type, parent: request.spanId });
      expect(spans.filter(({ parentSpanId }) => parentSpanId === event.spanId).length).toBeGreaterThan(0);
    }
    const posts = spans.filter(({ name }) => name === 'POST webhook');
    const sent = webhooks.at('/calls').map(({ headers }) => headers.traceparent);
    expect(sent.sort()).toEqual(posts.map(({ spanId }) => `00-${TRACE}-${spanId}-01`).sort());
    for (const { attributes } of posts) expect(attributes['http.response.status_code']).toBe(204);
    // The span of a request arrives after those below it.
    await until(() => {
      const all = receiver.ofTrace(TRACE);
      const ids = new Set([...all.map(({ spanId }) => spanId), 'b7ad6b7169203331']);
      return all.every(({ parentSpanId = '' }) => ids.has(parentSpanId));
    });
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

test('A receiver that fails or is away costs one line of the log a minute, and no request', async () => {
  const receiver = await TraceReceiver.start();
  receiver.status = 500;
  const { url: DATABASE_URL } = await createDatabase();
  const server = await ServerProcess.start({
    ...SETTINGS,
    DATABASE_URL,
    OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
    OTEL_EXPORTER_OTLP_TIMEOUT: '200',
  });
  try {
    const api = server.api.with({ 'x-api-key': server.demo?.apiKey ?? '' });
    const use = async () => expect((await api.get('/api/workspace')).status).toBe(200);

    await until(async () => {
      await use();
      return receiver.headers.length >= 3;
    });
    await receiver.stop();
    for (let sent = 0; sent < 20; sent += 1) await use();

    const lines = server.output.split('\n').filter((line) => line.includes('Spans could not be sent'));
    expect(lines).toHaveLength(1);
  } finally {
    await server.stop();
  }
});
