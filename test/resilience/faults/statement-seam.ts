import { Client } from 'pg';

export interface SentStatement {
  /** The name of the statement in the product; '' if it has none. */
  name: string;
  text: string;
  values: readonly unknown[];
}

export interface StatementWatcher {
  sending(statement: SentStatement, connection: object): void;
  /** Called when the bytes of the statement were passed to the operating system. */
  sent(statement: SentStatement, connection: object): void;
  done(statement: SentStatement, rows: object[], connection: object): void;
  /** Called when a chunk of the data of a COPY was written. */
  copied(text: string): void;
}

type Callback = (error: Error | undefined, result: { rows: object[] }) => void;
type Query = (this: Client, query: string | Partial<SentStatement>, ...rest: unknown[]) => unknown;

/** Reports every statement that this process sends to Postgres, by wrapping the client library. */
export function watchStatements(watcher: StatementWatcher): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = Client.prototype.query as unknown as Query;
  const query: Query = function (input, ...rest) {
    const { name = '', text = '', values = [] } = typeof input === 'string' ? { text: input } : input;
    const statement = { name, text, values };
    watcher.sending(statement, this);
    const callback = rest.at(-1);
    if (typeof callback === 'function') {
      rest[rest.length - 1] = ((error, result) => {
        if (!error) watcher.done(statement, result.rows, this);
        (callback as Callback)(error, result);
      }) satisfies Callback;
    }
    const result = original.call(this, input, ...rest);
    // The handler is registered before the caller continues; the caller handles a failure.
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
    const hasRoom = write(...args);
    written();
    return hasRoom;
  };
}
