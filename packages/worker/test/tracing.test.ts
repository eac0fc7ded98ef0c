import { context, SpanStatusCode, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import { fakeServer } from '@parley/worker/testing';
import { exampleCall } from '../src/example-call';
import { CallTrace } from '../src/tracing';

const TRACE = '0af7651916cd43dd8448eb211c80319c';

describe('With OpenTelemetry in the program of a worker', () => {
  const exporter = new InMemorySpanExporter();
  const server = fakeServer({ logger: { debug() {}, info() {}, warn() {}, error() {} } });

  beforeAll(() => {
    trace.setGlobalTracerProvider(
      new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }),
    );
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  });
  afterAll(() => {
    trace.disable();
    context.disable();
  });
  beforeEach(() => exporter.reset());

  test('a handler runs in a span of the trace of its call, and so do the spans that it starts', async () => {
    const { end } = await server.offer(
      async (call) => {
        await call.connected();
        trace.getTracer('program').startSpan('think').end();
        return { reason: 'agent_hangup', by: 'agent', outcome: 'completed' };
      },
      { start: { traceparent: `00-${TRACE}-b7ad6b7169203331-01` } },
    );

    expect(end.outcome).toBe('completed');
    const spans = exporter.getFinishedSpans();
    const find = (name: string) => spans.find((span) => span.name === name);
    const [own, handler] = [find('think'), find('handle call')];
    for (const report of ['publish call.connected.v1', 'publish call.ended.v1'])
      expect([report, find(report)?.parentSpanContext?.spanId]).toEqual([
        report,
        handler?.spanContext().spanId,
      ]);
    expect(handler).toMatchObject({ name: 'handle call', parentSpanContext: { spanId: 'b7ad6b7169203331' } });
    expect(handler?.spanContext().traceId).toBe(TRACE);
    expect(own).toMatchObject({
      name: 'think',
      parentSpanContext: { spanId: handler?.spanContext().spanId },
    });
    expect(Object.keys(handler?.attributes ?? {}).sort()).toEqual([
      'messaging.destination.name',
      'messaging.operation.name',
      'messaging.operation.type',
      'messaging.system',
      'parley.agent_id',
      'parley.call_id',
      'parley.workspace_id',
    ]);
  });

  test('a handler that throws marks its span, without what the error says', async () => {
    await server.offer(() => {
      throw new RangeError('the person said +15551234567');
    });

    const handler = exporter.getFinishedSpans().find(({ name }) => name === 'handle call');
    expect(handler?.attributes['error.type']).toBe('RangeError');
    expect(JSON.stringify([handler?.attributes, handler?.events, handler?.status])).not.toContain(
      '5551234567',
    );
  });

  test('a report that cannot be sent marks its span, without what the error says', async () => {
    const traced = new CallTrace(exampleCall(), { system: 'rabbitmq', events: 'voice.events' }, 'calls');
    const sent = traced.handle(() =>
      traced.publish('call.ended.v1', () => Promise.reject(new RangeError('the person said +15551234567'))),
    );
    await expect(sent).rejects.toThrow(RangeError);

    const publish = exporter.getFinishedSpans().find(({ name }) => name === 'publish call.ended.v1');
    expect(publish).toMatchObject({
      attributes: { 'error.type': 'RangeError' },
      status: { code: SpanStatusCode.ERROR },
    });
    expect(JSON.stringify([publish?.attributes, publish?.events, publish?.status])).not.toContain(
      '5551234567',
    );
  });
});
