import { type ApiError, temporarilyRefused } from './errors';

/** By Postgres' error code: a transaction that ended with one of these was rolled back, and may succeed later. */
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

/** The answer when Postgres ended a statement to protect others; undefined for other errors. */
export function databaseRefusalOf(error: unknown): ApiError | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code]?.() : undefined;
}
