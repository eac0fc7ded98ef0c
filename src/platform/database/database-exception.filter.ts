import { type ArgumentsHost, Catch, Logger } from '@nestjs/common';
import type { Request } from 'express';
import { EnvelopeExceptionFilter } from '../http/exception.filter';
import { isSafeMethod } from '../http/safe-methods';
import { toLostConnectionError, toRolledBackError } from './database-refusals';

/** Maps Postgres errors and lost connections to API errors, and passes all others to EnvelopeExceptionFilter. */
@Catch()
export class DatabaseExceptionFilter extends EnvelopeExceptionFilter {
  private readonly databaseLogger = new Logger('Database');

  override catch(exception: unknown, host: ArgumentsHost): void {
    const { id, method } = host.switchToHttp().getRequest<Request>();
    const refusal = toRolledBackError(exception);
    if (refusal) return super.catch(refusal, host);
    const lost = toLostConnectionError(exception, { mayChange: !isSafeMethod(method) });
    if (lost) this.databaseLogger.error({ err: exception, requestId: id }, 'A request lost the database');
    super.catch(lost ?? exception, host);
  }
}
