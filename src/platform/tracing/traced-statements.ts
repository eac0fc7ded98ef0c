import { endSpan, isTracing, SpanKind, startSpans } from './tracing';

interface Query {
  name?: string;
  text?: string;
  /** Only a stream has it, such as COPY. */
  submit?: unknown;
}

/** The part of a client of pg that is replaced. */
interface Client {
  query: unknown;
}

type Callback = (error: Error | null, ...rest: unknown[]) => void;

/**
 * Records a span for each statement of a client, below the current span. It has the name of the statement or its verb,
 * not its text, which TypeORM may write values into.
 * @param findName of a statement that is not prepared, by its text
 */
export function traceStatements(client: Client, findName: (text: string) => string | undefined): void {
  if (!isTracing()) return;
  const query = (client.query as (...args: unknown[]) => unknown).bind(client);
  const traced = (...args: unknown[]): unknown => {
    const { name, text = '', submit } = (typeof args[0] === 'string' ? { text: args[0] } : args[0]) as Query;
    if (submit !== undefined) return query(...args);
    const verb = /^[\s(]*([a-z]+)/i.exec(text)?.[1]?.toUpperCase() ?? 'statement';
    const summary = name ?? findName(text) ?? verb;
    const spans = startSpans(summary, {
      kind: SpanKind.CLIENT,
      attributes: {
        'db.system.name': 'postgresql',
        'db.operation.name': verb,
        'db.query.summary': summary,
      },
    });
    if (spans.length === 0) return query(...args);
    const end = (error?: unknown) => {
      for (const span of spans) endSpan(span, error);
    };
    const callback = args.at(-1);
    if (typeof callback === 'function') {
      const called: Callback = (error, ...rest) => {
        end(error ?? undefined);
        (callback as Callback)(error, ...rest);
      };
      return query(...args.slice(0, -1), called);
    }
    const result = query(...args) as Promise<unknown>;
    result.then(() => end(), end);
    return result;
  };
  client.query = traced;
}
