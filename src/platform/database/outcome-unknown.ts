import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** A statement that is its own transaction, or a commit, was sent, and Postgres did not report its outcome. */
export class OutcomeUnknownError extends Error {
  constructor(statement: string, cause: unknown) {
    super(`The database did not confirm ${statement}`, { cause });
  }
}

/** The connection was lost within a transaction, which Postgres therefore rolls back. */
export class RolledBackError extends Error {
  constructor(statement: string, cause: unknown) {
    super(`The database was lost while it worked on ${statement}, before the commit`, { cause });
  }
}

/** These errors keep their own class and code, by which the start and the operator's commands explain them. */
const neverConnected = new WeakSet<Error>();

/** Marks an error of a request for a connection: no statement was sent. */
export function markNeverConnected(error: Error): Error {
  neverConnected.add(error);
  return error;
}

export const isNeverConnected = (error: unknown) => neverConnected.has(error as Error);

/** Whether a statement that failed with this error was cut off, rather than refused by Postgres or never sent. */
export function isConnectionLost(error: unknown): boolean {
  // 57P: the session was ended from outside. 25P03: its transaction waited too long for the server.
  if (error instanceof DatabaseError) return /^(57P|25P03)/.test(error.code ?? '57P');
  // A value that cannot be made a parameter is not sent.
  return !(error instanceof TypeError);
}

/** Whether Postgres ended a statement at a limit: that of its time, or of waiting for a lock. */
export const isTimeout = (error: unknown) =>
  error instanceof DatabaseError && ['57014', '55P03'].includes(error.code ?? '');

/** Whether the connection was lost at a point at which nothing can have been committed. */
export const isRolledBack = (error: unknown): boolean =>
  error instanceof RolledBackError ||
  (error instanceof QueryFailedError &&
    /^\s*(SELECT|START TRANSACTION)\b/i.test(error.query) &&
    isConnectionLost(error.driverError));

/** Whether the work that failed with this error may have been committed nevertheless. */
export function isOutcomeUnknown(error: unknown): boolean {
  // In a transaction, all that came before its COMMIT is rolled back.
  if (error instanceof QueryFailedError)
    return error.query === 'COMMIT' && isConnectionLost(error.driverError);
  return error instanceof OutcomeUnknownError;
}
