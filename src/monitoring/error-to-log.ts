/** How far causes are followed, which may be each other's. */
const DEPTH = 5;

/** What else errors carry may be a client's: parameters and details of statements, bodies, rows of files, URLs. */
const HARMLESS = ['code', 'syscall', 'address', 'port', 'table', 'constraint'];

interface LoggedError {
  type: string;
  message: string;
  stack?: string;
  cause?: LoggedError;
  errors?: LoggedError[];
  [harmless: string]: unknown;
}

const isError = (thrown: unknown): thrown is Error =>
  typeof (thrown as { message?: unknown } | null | undefined)?.message === 'string';

/** What the log has of whatever was thrown: what failed and where, and nothing of what a client sent. */
export const errorToLog = (thrown: unknown): LoggedError => describe(thrown, DEPTH);

function describe(thrown: unknown, depth: number): LoggedError {
  if (!isError(thrown)) return { type: typeof thrown, message: 'What was thrown is no error' };
  const { message, stack, cause, errors } = thrown as AggregateError;
  const harmless = Object.entries(thrown).filter(
    ([name, value]) => HARMLESS.includes(name) && ['string', 'number'].includes(typeof value),
  );
  const { code } = thrown as { code?: unknown };
  // Postgres's data exceptions quote the value.
  const said = /^22/.test(String(code)) ? message.replace(/".*"/s, '"…"') : message;
  return {
    type: thrown.constructor.name,
    message: said,
    stack: stack?.replace(message, () => said),
    ...Object.fromEntries(harmless),
    ...(depth > 0 && cause !== undefined && { cause: describe(cause, depth - 1) }),
    ...(depth > 0 && Array.isArray(errors) && { errors: errors.map((error) => describe(error, depth - 1)) }),
  };
}
