/** The number of causes that are followed. They can form a circle. */
const DEPTH = 5;

/** Other properties can contain data of clients: statement parameters, bodies, rows of files, URLs. */
const SAFE_PROPERTIES = ['code', 'syscall', 'address', 'port', 'table', 'constraint'];

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
  [property: string]: unknown;
}

const isError = (thrown: unknown): thrown is Error =>
  typeof (thrown as { message?: unknown } | null | undefined)?.message === 'string';

/** Describes the failure and its place, without the data of clients. */
export const errorToLog = (thrown: unknown): LoggedError => describe(thrown, DEPTH);

function describe(thrown: unknown, depth: number): LoggedError {
  if (!isError(thrown)) return { type: typeof thrown, message: 'The thrown value is not an error' };
  const { message, stack, cause, errors } = thrown as AggregateError;
  const safe = Object.entries(thrown).filter(
    ([name, value]) => SAFE_PROPERTIES.includes(name) && ['string', 'number'].includes(typeof value),
  );
  const { code } = thrown as { code?: unknown };
  // Data exceptions of Postgres quote the value.
  const safeMessage = /^22/.test(String(code)) ? message.replace(/".*"/s, '"…"') : message;
  return {
    type: thrown.constructor.name,
    message: safeMessage,
    stack: stack?.replace(message, () => safeMessage),
    ...Object.fromEntries(safe),
    ...(depth > 0 && cause !== undefined && { cause: describe(cause, depth - 1) }),
    ...(depth > 0 && Array.isArray(errors) && { errors: errors.map((error) => describe(error, depth - 1)) }),
  };
}
