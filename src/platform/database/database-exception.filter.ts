import { type ArgumentsHost, Catch, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { QueryFailedError } from 'typeorm';
import { ApiError, temporarilyRefused } from '../http/errors';
import { EnvelopeExceptionFilter } from '../http/exception.filter';
import { isSafeMethod } from '../http/safe-methods';
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
        'The connection to the database was lost before it confirmed the change. Read the data to find out, ' +
        'before the request is sent again.',
    },
  });

/** The response to a request whose connection to the database failed; undefined for other errors. */
function toLostConnectionError(error: unknown, method: string): ApiError | undefined {
  if (isNeverConnected(error) || isRolledBack(error)) return databaseUnavailable();
  const isLost =
    error instanceof OutcomeUnknownError ||
    (error instanceof QueryFailedError && isConnectionLost(error.driverError));
  if (!isLost) return undefined;
  return isSafeMethod(method) ? databaseUnavailable() : outcomeUnknown();
}

/** Maps Postgres errors and lost connections to API errors, and passes all others to EnvelopeExceptionFilter. */
@Catch()
export class DatabaseExceptionFilter extends EnvelopeExceptionFilter {
  private readonly databaseLogger = new Logger('Database');

  override catch(exception: unknown, host: ArgumentsHost): void {
    const { id, method } = host.switchToHttp().getRequest<Request>();
    const { code } = exception as { code?: unknown };
    const refusal = typeof code === 'string' && Object.hasOwn(BY_CODE, code) ? BY_CODE[code]?.() : undefined;
    const lost = refusal ?? toLostConnectionError(exception, method);
    if (lost && !refusal)
      this.databaseLogger.error({ err: exception, requestId: id }, 'A request lost the database');
    super.catch(lost ?? exception, host);
  }
}
