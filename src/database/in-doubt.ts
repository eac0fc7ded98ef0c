import { DatabaseError } from 'pg';

/** Whether a statement that failed with this may have been committed all the same: Postgres did not say. */
export function isInDoubt(error: unknown): boolean {
  // 57P: the session was ended from outside.
  if (error instanceof DatabaseError) return error.code?.startsWith('57P') ?? true;
  return (error as NodeJS.ErrnoException).syscall !== 'connect';
}
