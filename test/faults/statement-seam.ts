import { Client } from 'pg';

export interface SentStatement {
  /** What the product calls it; '' where it has no name. */
  name: string;
  text: string;
}

export interface StatementWatcher {
  sending(statement: SentStatement, connection: object): void;
  /** Its bytes are with the system. */
  sent(statement: SentStatement, connection: object): void;
  done(statement: SentStatement, rows: object[], connection: object): void;
  /** A part of a COPY's data was written. */
  copied(text: string): void;
}

type Callback = (error: Error | undefined, result: { rows: object[] }) => void;
type Query = (this: Client, query: string | Partial<SentStatement>, ...rest: unknown[]) => unknown;

/** Tells of every statement that this process has for Postgres, from outside: by wrapping the client library. */
export function watchStatements(watcher: StatementWatcher): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (given, ...rest) {
    const { name = '', text = '' } = typeof given === 'string' ? { text: given } : given;
    const statement = { name, text };
    watcher.sending(statement, this);
    const callback = rest.at(-1);
    if (typeof callback === 'function') {
      rest[rest.length - 1] = ((error, result) => {
        if (!error) watcher.done(statement, result.rows, this);
        (callback as Callback)(error, result);
      }) satisfies Callback;
    }
    const result = original.call(this, given, ...rest);
    // Before whoever waits for it goes on; a failure is theirs.
    if (result instanceof Promise) {
      result.then(
        ({ rows }: { rows: object[] }) => watcher.done(statement, rows, this),
        () => undefined,
      );
    }
    watcher.sent(statement, this);
    if (text.startsWith('COPY')) watchCopy(result as NodeJS.WritableStream, () => watcher.copied(text));
    return result;
  };
  Client.prototype.query = query as unknown as Client['query'];
}

function watchCopy(stream: NodeJS.WritableStream, written: () => void): void {
  const write = stream.write.bind(stream) as (...args: unknown[]) => boolean;
  stream.write = (...args: unknown[]) => {
    const room = write(...args);
    written();
    return room;
  };
}
