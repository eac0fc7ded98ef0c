import {
  type ArgumentsHost,
  Catch,
  type ExceptionFilter,
  HttpException,
  Logger,
  NotFoundException,
} from '@nestjs/common';
import type { Request, Response } from 'express';
import { STATUS_CODES } from 'node:http';
import { ApiError, type ErrorMembers } from './errors';
import { isSafeMethod } from './safe-methods';
import { allowedMethods } from './allowed-methods';
import { databaseRefusalOf } from './database-refusals';
import { failureMembers, serverFailed, withDetails } from './top-level-error-details';
import { hasBody } from './json-body';
import { discardBody } from './unread-body';

interface Refusal {
  status: number;
  message: string;
  members: ErrorMembers;
}

const statusOf = (exception: unknown) => {
  // What Express and its parsers throw carries its status itself (http-errors).
  const { status, expose } = exception as { status?: unknown; expose?: unknown };
  return typeof status === 'number' && expose === true ? status : undefined;
};

/** Every error answer wears the envelope; what nobody foresaw is a 500 that says no more than the request's id. */
@Catch()
export class EnvelopeExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Requests');

  catch(exception: unknown, host: ArgumentsHost) {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    const error = databaseRefusalOf(exception) ?? exception;
    if (response.closed) return this.logUnanswered(error, request);
    const { status, message, members } = this.refusalOf(error, request, response);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (error instanceof ApiError) response.set(error.headers);
    if (hasBody(request) && !request.complete) discardBody(request);
    response.status(status).json({ status, message, ...members });
  }

  /** The client left. A request that only reads was ended then, which is its error. */
  private logUnanswered(error: unknown, { method }: Request): void {
    if (error instanceof ApiError || isSafeMethod(method)) return;
    this.logger.error({ err: error }, 'A request failed after its client had left');
  }

  private refusalOf(exception: unknown, request: Request, response: Response): Refusal {
    if (exception instanceof ApiError) {
      const members = withDetails(request, exception.members);
      return { status: exception.getStatus(), message: exception.message, members };
    }
    // Nest throws its own NotFoundException for a path without a route; features throw ApiErrors.
    if (exception instanceof NotFoundException) {
      const methods = allowedMethods(request);
      const [path] = request.originalUrl.split('?');
      if (methods.length === 0) {
        return { status: 404, message: 'Not found', members: { details: `There is no ${path}.` } };
      }
      response.setHeader('Allow', methods.join(', '));
      const details = `${request.method} is not allowed on ${path}; ${methods.join(', ')} would be.`;
      return { status: 405, message: 'Method not allowed', members: { details } };
    }
    const status = exception instanceof HttpException ? exception.getStatus() : statusOf(exception);
    if (status !== undefined && status < 500) {
      const details = (exception as Error).message;
      return { status, message: STATUS_CODES[status] ?? 'Refused', members: { details } };
    }
    this.logger.error({ err: exception }, 'A request failed');
    const details = serverFailed(request.id as string);
    return { status: 500, message: 'Internal server error', members: failureMembers(request, details) };
  }
}
