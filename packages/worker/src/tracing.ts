import { createRequire } from 'node:module';
import { CallFailed } from './errors';
import type { CallStart } from './messages';

/** The names of the broker that the spans of a call have. */
export interface BrokerNames {
  system: string;
  /** The exchange of the reports. */
  events: string;
}

/** The optional peer of this package, which compiles without it. */
const PEER = '@opentelemetry/api';

interface SpanContext {
  traceId: string;
  spanId: string;
  traceFlags: number;
}

interface Span {
  spanContext(): SpanContext;
  isRecording(): boolean;
  setAttribute(name: string, value: string): void;
  setStatus(status: { code: number }): void;
  end(): void;
}

interface Context {
  getValue(key: symbol): unknown;
  setValue(key: symbol, value: unknown): Context;
}

/** The parts of the peer that are used. */
interface OpenTelemetry {
  ROOT_CONTEXT: Context;
  SpanKind: { CONSUMER: number; PRODUCER: number };
  SpanStatusCode: { ERROR: number };
  context: { active(): Context; with<Result>(context: Context, work: () => Result): Result };
  trace: {
    getTracer(name: string): {
      startSpan(
        name: string,
        options: { kind: number; attributes: Record<string, string> },
        parent: Context,
      ): Span;
    };
    setSpan(context: Context, span: Span): Context;
    getSpanContext(context: Context): SpanContext | undefined;
    setSpanContext(context: Context, parent: SpanContext & { isRemote: boolean }): Context;
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

/** undefined: the span is not recorded, so that what is below it would not be recorded either. */
const toTraceparent = ({ traceId, spanId, traceFlags }: SpanContext): string | undefined =>
  (traceFlags & 1) === 1 ? `00-${traceId}-${spanId}-01` : undefined;

/**
 * Ends a span after the work. An error is named by its class, because its message may have anything in it. A call that was
 * not answered is no error.
 */
async function endAfter<Result>(
  { SpanStatusCode }: OpenTelemetry,
  span: Span,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof CallFailed) {
      span.setAttribute('parley.disconnect_reason', error.reason);
      throw error;
    }
    span.setAttribute('error.type', error instanceof Error ? error.constructor.name : typeof error);
    span.setStatus({ code: SpanStatusCode.ERROR });
    throw error;
  } finally {
    span.end();
  }
}

/** The key of the call in the context of its handler, and of all that the handler starts. */
const CALL = Symbol('call of @parley/worker');

/** The trace of one call in the program of the worker. Without OpenTelemetry and its SDK, it records nothing. */
export class CallTrace {
  /** The context of the handler's span, once it began, if it is recorded. */
  private handler: Context | undefined;

  constructor(
    private readonly start: CallStart,
    private readonly broker: BrokerNames,
    /** The queue that the call came from, unless it reached the worker. */
    private readonly queue: string | undefined,
  ) {}

  /** Runs the handler of the call in a span below the one that published the call. */
  async handle<Result>(work: () => Promise<Result>): Promise<Result> {
    const api = load();
    if (!api) return work();
    const { ROOT_CONTEXT, SpanKind, context, trace } = api;
    const [, traceId = '', spanId = '', flags = ''] = String(this.start.traceparent ?? '').split('-');
    const remote = { traceId, spanId, traceFlags: Number.parseInt(flags, 16) & 1, isRemote: true };
    const parent = spanId === '' ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, remote);
    const attributes = {
      ...this.describe('process', 'process'),
      ...(this.queue !== undefined && { 'messaging.destination.name': this.queue }),
    };
    const options = { kind: SpanKind.CONSUMER, attributes };
    const span = trace.getTracer('@parley/worker').startSpan('handle call', options, parent);
    const handler = trace.setSpan(parent, span).setValue(CALL, this);
    if (span.isRecording()) this.handler = handler;
    return endAfter(api, span, () => context.with(handler, work));
  }

  /** Sends a report in a span below the span that made it, whose `traceparent` goes with the message. */
  async publish(type: string, send: (traceparent?: string) => Promise<void>): Promise<void> {
    const api = load();
    const parent = api && this.findParent(api);
    if (!api || !parent) return send();
    const attributes = {
      ...this.describe('publish', 'send'),
      'messaging.destination.name': this.broker.events,
    };
    const options = { kind: api.SpanKind.PRODUCER, attributes };
    const span = api.trace.getTracer('@parley/worker').startSpan(`publish ${type}`, options, parent);
    await endAfter(api, span, () => send(toTraceparent(span.spanContext())));
  }

  /** The `traceparent` of the span that made a turn. Turns are many, so they have no spans of their own. */
  get traceparent(): string | undefined {
    const api = load();
    const parent = api && this.findParent(api);
    const span = parent && api.trace.getSpanContext(parent);
    return span ? toTraceparent(span) : undefined;
  }

  /** The current span, or that of the handler for what does not come from the handler, such as the end. */
  private findParent({ context }: OpenTelemetry): Context | undefined {
    if (!this.handler) return undefined;
    const active = context.active();
    return active.getValue(CALL) === this ? active : this.handler;
  }

  private describe(name: string, type: string): Record<string, string> {
    return {
      'messaging.system': this.broker.system,
      'messaging.operation.name': name,
      'messaging.operation.type': type,
      'parley.call_id': this.start.conversation_id,
      'parley.workspace_id': this.start.workspaceId,
      'parley.agent_id': this.start.agent_id,
    };
  }
}
