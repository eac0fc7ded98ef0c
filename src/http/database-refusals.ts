import { ApiError, retryAfter } from './errors';

const refusal = (message: string, details: string, error_code: string) =>
  new ApiError(503, message, { error: { details }, error_code }, retryAfter(1));

/** By Postgres' error code: a transaction that ended with one of these was rolled back, and may succeed later. */
const BY_CODE: Record<string, () => ApiError> = {
  '55P03': () =>
    refusal(
      'The data is in use',
      'Another request holds a lock on it and did not release it in time; nothing was changed.',
      'RESOURCE_LOCKED',
    ),
  '40P01': () =>
    refusal(
      'The data is in use',
      'This request and another one waited for each other; nothing was changed.',
      'RESOURCE_LOCKED',
    ),
  '57014': () =>
    refusal(
      'The request took too long',
      'The database ended its statement at the time limit; nothing was changed.',
      'STATEMENT_TIMEOUT',
    ),
};

/** What a client is answered when Postgres ended a statement to protect others; undefined for other errors. */
export function databaseRefusalOf(error: unknown): ApiError | undefined {
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code]?.() : undefined;
}
