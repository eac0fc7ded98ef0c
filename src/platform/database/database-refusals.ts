import { QueryFailedError } from 'typeorm';
import { ApiError, temporarilyRefused } from '../http/errors';
import { databaseUnavailable } from '../http/workspace-busy';
import { isConnectionLost, isNeverConnected, isRolledBack, OutcomeUnknownError } from './outcome-unknown';

/**
 * The errors by Postgres' error code: a transaction that ended with one of these was rolled back, and may succeed
 * later.
 */
const BY_CODE: Record<string, () => ApiError> = {
  '55P03': () =>
    temporarilyRefused(
      'RESOURCE_LOCKED',
      'The data is in use',
      'Another request holds a lock on it and did not release it in time. Nothing was changed.',
    ),
  '40P01': () =>
    temporarilyRefused(
      'RESOURCE_LOCKED',
      'The data is in use',
      'This request and another one waited for each other. Nothing was changed.',
    ),
  '57014': () =>
    temporarilyRefused(
      'STATEMENT_TIMEOUT',
      'The request took too long',
      'The database ended its statement at the time limit. Nothing was changed.',
    ),
};

const outcomeUnknown = () =>
  new ApiError('OUTCOME_UNKNOWN', 'The change may not have been made', {
    error: {
      details:
        'The database did not confirm the change. Read the data to find out, ' +
        'before the request is sent again.',
    },
  });

/** The refusal of work that Postgres ended and rolled back; undefined for other errors. */
export function toRolledBackError(error: unknown): ApiError | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code]?.() : undefined;
}

/** The answer to work whose connection to the database failed; undefined for other errors. */
export function toLostConnectionError(
  error: unknown,
  { mayChange }: { mayChange: boolean },
): ApiError | undefined {
  if (isNeverConnected(error) || isRolledBack(error)) return databaseUnavailable();
  const isLost =
    error instanceof OutcomeUnknownError ||
    (error instanceof QueryFailedError && isConnectionLost(error.driverError));
  if (!isLost) return undefined;
  return mayChange ? outcomeUnknown() : databaseUnavailable();
}
