import { DatabaseError } from 'pg';
import { QueryFailedError } from 'typeorm';

/** A statement was sent that is its own transaction, and Postgres did not say what became of it. */
export class OutcomeUnknownError extends Error {
  constructor(statement: string, cause: unknown) {
    super(`The database was lost while it worked on ${statement}`, { cause });
  }
}

/** Whether a statement that failed with this was cut off, rather than refused by Postgres or never sent. */
export function isConnectionLost(error: unknown): boolean {
  // 57P: the session was ended from outside.
  if (error instanceof DatabaseError) return error.code?.startsWith('57P') ?? true;
  // What can not be made a parameter is not sent.
  return !(error instanceof TypeError);
}

/** Whether what failed with this may have been committed all the same. */
export function isOutcomeUnknown(error: unknown): boolean {
  // Of a transaction, all that came before its COMMIT is rolled back.
  if (error instanceof QueryFailedError)
    return error.query === 'COMMIT' && isConnectionLost(error.driverError);
  return error instanceof OutcomeUnknownError;
}
