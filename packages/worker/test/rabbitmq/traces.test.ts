import { connect } from 'amqplib';
import { createAgent } from '../../../../test/support/agents';
import { AgentCalls } from '../../../../test/support/calls';
import { JWT_SECRET, TestParley } from '../../../../test/support/parley';
import { rabbitmqUrl } from '../../../../test/support/rabbitmq';
import { ServerProcess } from '../../../../test/support/server-process';
import { type ReceivedSpan, TraceReceiver } from '../../../../test/support/trace-receiver';
import { until } from '../../../../test/support/until';
import { useStarted } from '../../../../test/support/use-started';
import { WorkerProcess } from '../support/worker-process';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const CLIENT_SPAN = 'b7ad6b7169203331';
const SECRET = 'swordfish-4711';
const PERSON = 'Ada Lovelace';

/** Records the spans of a program and sends them, as the program of a user would. */
const recordSpans = (receiver: string) => `
  const { context, trace } = require('@opentelemetry/api');
  const { AsyncLocalStorageContextManager } = require('@opentelemetry/context-async-hooks');
  const { OTLPTraceExporter } = require('@opentelemetry/exporter-trace-otlp-http');
  const { SimpleSpanProcessor, TracerProvider } = require('@opentelemetry/sdk-trace');
  const exporter = new OTLPTraceExporter({ url: ${JSON.stringify(`${receiver}/v1/traces`)} });
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());`;

const BUSY = '+15551234501';

const HANDLER = `
  if (call.start.to_number === '${BUSY}') throw new CallFailed('dial_busy');
  await call.connected();
  await trace.getTracer('program').startActiveSpan('think', async (span) => {
    call.turn({ speaker: 'agent', text: 'Hello' });
    await call.warn('slow', 'The answer took long.');
    span.end();
  });
  return { reason: 'agent_hangup', by: 'agent' };`;

describe('With one receiver for the traces of the server and of a worker in a process of its own', () => {
  const receiver = useStarted(() => TraceReceiver.start());
  const parley = useStarted(() => TestParley.start({ RABBITMQ_URL: rabbitmqUrl ?? '', ROLES: 'http' }));
  let server: ServerProcess | undefined;
  let worker: WorkerProcess | undefined;
  afterAll(async () => {
    await worker?.kill();
    await server?.kill();
  });

  /** The calls of an agent in a new workspace, at the server that records spans. */
  async function createCalls() {
    const { api, apiKey } = await parley.workspace();
    const traced = (server as ServerProcess).api.with({ 'x-api-key': apiKey });
    return { calls: new AgentCalls(traced, await createAgent({ api })), apiKey };
  }

  test('a call is one trace: what the worker reports is below the work that reported it', async () => {
    server = await ServerProcess.start({
      DATABASE_URL: parley.database.url,
      RABBITMQ_URL: rabbitmqUrl ?? '',
      BROKER_PREFIX: parley.topology.calls.replace(/\.calls$/, ''),
      JWT_SECRET,
      LOG_LEVEL: 'warn',
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_BSP_SCHEDULE_DELAY: '100',
    });
    worker = await WorkerProcess.start(parley, { before: recordSpans(receiver.url), handler: HANDLER });
    const { api, apiKey } = await parley.workspace();
    const agentId = await createAgent({ api });
    const traceparent = `00-${TRACE}-${CLIENT_SPAN}-01`;
    const calls = new AgentCalls(server.api.with({ 'x-api-key': apiKey, traceparent }), agentId);
    await calls.start();

    const spans = () => receiver.ofTrace(TRACE);
    const byId = (id: string | undefined) => spans().find(({ spanId }) => spanId === id);
    /** The names of a span and of those above it. */
    const line = (span: ReceivedSpan | undefined): string[] =>
      span ? [span.name, ...line(byId(span.parentSpanId))] : [];
    const lineOf = (name: string) =>
      until(() => {
        const found = line(spans().find((span) => span.name === name));
        return found.at(-1) === REQUEST && found.slice(0, -1);
      });
    const REQUEST = 'POST /api/agents/:agent_id/calls';
    const HANDLED = ['handle call', 'publish call.start.v1'];

    for (const type of ['connected', 'ended'])
      expect(await lineOf(`process call.${type}.v1`)).toEqual([
        `process call.${type}.v1`,
        `publish call.${type}.v1`,
        ...HANDLED,
      ]);
    expect(await lineOf('process call.warning.v1')).toEqual([
      'process call.warning.v1',
      'publish call.warning.v1',
      'think',
      ...HANDLED,
    ]);
    expect(await lineOf('process call.transcript.v1')).toEqual([
      'process call.transcript.v1',
      'think',
      ...HANDLED,
    ]);
    expect(await lineOf('process call.claim.v1')).toEqual(['process call.claim.v1']);
    const request = spans().find(({ name }) => name === REQUEST);
    expect(request?.parentSpanId).toBe(CLIENT_SPAN);

    const prefix = parley.topology.calls.replace(/\.calls$/, '');
    const messagingOf = (name: string) => {
      const { attributes = {} } = spans().find((span) => span.name === name) ?? {};
      return ['system', 'operation.name', 'operation.type', 'destination.name'].map(
        (field) => attributes[`messaging.${field}`],
      );
    };
    for (const [name, ...expected] of [
      ['publish call.start.v1', 'publish', 'send', 'calls'],
      ['handle call', 'process', 'process', 'calls.default'],
      ['publish call.ended.v1', 'publish', 'send', 'events'],
      ['process call.ended.v1', 'process', 'process', 'events.server'],
      ['process call.claim.v1', 'process', 'process', 'claims'],
    ] as const)
      expect([name, ...messagingOf(name)]).toEqual([
        name,
        'rabbitmq',
        ...expected.slice(0, 2),
        `${prefix}.${expected[2]}`,
      ]);
  });

  test('a call that was not answered is no error, and its handler has the reason', async () => {
    const { calls } = await createCalls();
    const id = await calls.start({ to_number: BUSY });
    const handled = await until(() =>
      receiver.spans.find(
        ({ name, attributes }) => name === 'handle call' && attributes['parley.call_id'] === id,
      ),
    );
    expect(handled.attributes).toMatchObject({ 'parley.disconnect_reason': 'dial_busy' });
    expect(handled.attributes).not.toHaveProperty('error.type');
    expect(handled.status?.code ?? 0).toBe(0);
  });

  test('the headers and routing keys of others lead no message away from its call, and are in no span', async () => {
    const { calls, apiKey } = await createCalls();
    const id = await calls.start({ customer_name: PERSON });
    const { traceId } = await until(() =>
      receiver.spans.find(({ attributes }) => attributes['parley.call_id'] === id),
    );

    const connection = await connect(rabbitmqUrl ?? '');
    const channel = await connection.createConfirmChannel();
    for (const traceparent of [
      `00-${TRACE}-${CLIENT_SPAN}-01`,
      `00-${SECRET}-${CLIENT_SPAN}-01`,
      SECRET,
      '',
      Buffer.from(SECRET),
      [SECRET],
    ]) {
      const body = { conversation_id: id, token: SECRET, code: SECRET, text: `${PERSON} said ${SECRET}` };
      channel.publish(parley.topology.events, `call.${SECRET}`, Buffer.from(JSON.stringify(body)), {
        type: 'call.warning.v1',
        messageId: SECRET,
        appId: SECRET,
        headers: { traceparent, tracestate: `vendor=${SECRET}`, baggage: `customer=${PERSON}` },
      });
    }
    await channel.waitForConfirms();
    await connection.close();

    // The worker has reported one of its own.
    const warnings = await until(() => {
      const found = receiver.spans.filter(
        ({ name, attributes }) => name === 'process call.warning.v1' && attributes['parley.call_id'] === id,
      );
      return found.length === 7 && found;
    });
    expect(new Set(warnings.map((span) => span.traceId))).toEqual(new Set([traceId]));
    for (const secret of [SECRET, PERSON, 'Hello', 'The answer took long', apiKey])
      expect([secret, receiver.raw.includes(secret)]).toEqual([secret, false]);
  });
});
