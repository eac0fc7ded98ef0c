import {
  type Attributes,
  context,
  type Context,
  createContextKey,
  type Link,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';

export { type Context, ROOT_CONTEXT, type Span, SpanKind };

export interface SpanOptions {
  kind?: SpanKind;
  /** They never have a key, a prompt, a name, a phone number, a path or a query in them. */
  attributes?: Attributes;
  links?: Link[];
  /** Default: the current span. */
  parent?: Context;
}

let isOn = false;

/** Whether spans are recorded. If not, nothing below does any work. */
export const isTracing = (): boolean => isOn;

export function switchTracing(on: boolean): void {
  isOn = on;
}

const startSpan = (name: string, { parent = context.active(), ...options }: SpanOptions): Span =>
  trace.getTracer('parley').startSpan(name, options, parent);

/** The attributes of the server at an address. The path and the query are left out. */
export function describeServer(url: string): Attributes {
  const { protocol, hostname, port } = new URL(url);
  return {
    'url.scheme': protocol.slice(0, -1),
    'server.address': hostname,
    'server.port': Number(port) || (protocol === 'https:' ? 443 : 80),
  };
}

/** @param type a class or a code, never a message */
export function markFailed(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Ends a span. An error is named by its class or code, because its message may have anything in it. */
export function endSpan(span: Span, error?: unknown): void {
  if (error !== undefined) {
    const { code } = error as { code?: unknown };
    const name = error instanceof Error ? error.constructor.name : typeof error;
    markFailed(span, typeof code === 'string' ? code : name);
  }
  span.end();
}

/** Runs work in a span. */
export function traceWork<Result>(
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<Result>,
): Promise<Result> {
  if (!isOn) return work();
  const span = startSpan(name, options);
  return context.with(trace.setSpan(options.parent ?? context.active(), span), async () => {
    try {
      const result = await work(span);
      endSpan(span);
      return result;
    } catch (error) {
      endSpan(span, error);
      throw error;
    }
  });
}

/** Starts a span, and runs work with it; the caller ends the span. */
export function runInSpan(name: string, options: SpanOptions, work: (span: Span) => void): void {
  const span = startSpan(name, options);
  context.with(trace.setSpan(options.parent ?? context.active(), span), () => work(span));
}

/** Adds attributes to the current span, if one is recorded. */
export function describeCurrentSpan(attributes: Attributes): void {
  if (isOn) trace.getActiveSpan()?.setAttributes(attributes);
}

/** Runs work that does not belong to the current span, such as a timer that serves others too. */
export const leaveTrace = <Result>(work: () => Result): Result =>
  isOn ? context.with(ROOT_CONTEXT, work) : work();

/** undefined: there is no current span. */
export const currentContext = (): Context | undefined =>
  isOn && trace.getSpan(context.active()) ? context.active() : undefined;

const SHARED = createContextKey('the contexts that share a statement');

/** Runs work for several spans at once: each of them gets the statements in it. */
export function runShared<Result>(contexts: (Context | undefined)[], work: () => Result): Result {
  if (!isOn) return work();
  const shared = contexts.filter((each) => each !== undefined);
  return context.with(ROOT_CONTEXT.setValue(SHARED, shared), work);
}

/** Starts a span below each span that the current work is for. Work for none gets none. */
export function startSpans(name: string, options: SpanOptions): Span[] {
  const active = context.active();
  const shared = active.getValue(SHARED) as Context[] | undefined;
  const parents = shared ?? (trace.getSpan(active) ? [active] : []);
  return parents.map((parent) => startSpan(name, { ...options, parent }));
}

const formatContext = (of: Context): string => {
  const found = trace.getSpanContext(of);
  if (!found) return '';
  return `00-${found.traceId}-${found.spanId}-0${found.traceFlags & TraceFlags.SAMPLED}`;
};

/** The header `traceparent` of the current span; '' if there is none. */
export const currentTraceparent = (): string => (isOn ? formatContext(context.active()) : '');

/** The id of the current trace, for a line of the log. */
export const currentTraceId = (): string | undefined =>
  isOn ? trace.getSpanContext(context.active())?.traceId : undefined;

/** @param traceparent valid, or '' @returns undefined for '' */
export function toContext(traceparent: string): Context | undefined {
  const [, traceId = '', spanId = '', flags = ''] = traceparent.split('-');
  if (spanId === '') return undefined;
  const traceFlags = Number.parseInt(flags, 16) & TraceFlags.SAMPLED;
  return trace.setSpanContext(ROOT_CONTEXT, { traceId, spanId, traceFlags, isRemote: true });
}

/**
 * Begins a trace of its own, whose first span ends at once and has a link to the current one.
 * @returns its `traceparent`; '' without tracing
 */
export function beginLinkedTrace(name: string, attributes: Attributes): string {
  if (!isOn) return '';
  const current = trace.getSpanContext(context.active());
  const links = current ? [{ context: current }] : [];
  const span = startSpan(name, { attributes, links, parent: ROOT_CONTEXT });
  span.end();
  return formatContext(trace.setSpan(ROOT_CONTEXT, span));
}
