import { createRequire } from 'node:module';
import type { CallStart } from './messages';

/** The optional peer of this package, which compiles without it. */
const PEER = '@opentelemetry/api';

interface Span {
  setAttribute(name: string, value: string): void;
  setStatus(status: { code: number }): void;
  end(): void;
}

/** The parts of the peer that are used. */
interface OpenTelemetry {
  ROOT_CONTEXT: object;
  SpanKind: { CONSUMER: number };
  SpanStatusCode: { ERROR: number };
  context: { with<Result>(context: object, work: () => Result): Result };
  trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: Record<string, string> },
        parent: object,
      ): Span;
    };
    setSpan(context: object, span: Span): object;
    setSpanContext(
      context: object,
      parent: { traceId: string; spanId: string; traceFlags: number; isRemote: boolean },
    ): object;
  };
}

let found: OpenTelemetry | null | undefined;

function load(): OpenTelemetry | null {
  if (found !== undefined) return found;
  try {
    found = createRequire(__filename)(PEER) as OpenTelemetry;
  } catch {
    // The program of the worker has no tracing.
    found = null;
  }
  return found;
}

/**
 * Runs the handler of a call in a span below the one that published the call, if the program has OpenTelemetry. Without
 * its SDK, the span does nothing.
 */
export async function traceHandler<Result>(start: CallStart, work: () => Promise<Result>): Promise<Result> {
  const api = load();
  if (!api) return work();
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, context, trace } = api;
  const [, traceId = '', spanId = '', flags = ''] = String(start.traceparent ?? '').split('-');
  const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
  const parent = spanId === '' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
  const attributes = {
    'messaging.system': 'rabbitmq',
    'messaging.operation.name': 'process',
    'messaging.operation.type': 'process',
    'parley.call_id': start.conversation_id,
    'parley.workspace_id': start.workspaceId,
    'parley.agent_id': start.agent_id,
  };
  const options = { kind: SpanKind.CONSUMER, attributes };
  const span = trace.getTracer('@parley/worker').startSpan('handle call', options, parent);
  try {
    return await context.with(trace.setSpan(parent, span), work);
  } catch (error) {
    span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}
