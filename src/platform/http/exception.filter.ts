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
import { type ErrorCode, getErrorStatus } from './error-codes';
import { ApiError } from './errors';
import { PublicRequests } from './public-requests';
import { isSafeMethod } from './safe-methods';
import { allowedMethods } from './allowed-methods';
import { failureMembers, internalError, serverFailed, withDetails } from './top-level-error-details';
import { hasBody } from './json-body';
import { discardBody } from './unread-body';

/** The refusals of Nest, Express, its body parser and its static files, by their status. */
const CODE_BY_STATUS: Partial<Record<number, ErrorCode>> = {
  400: 'MALFORMED_REQUEST',
  404: 'ROUTE_NOT_FOUND',
  408: 'REQUEST_TIMEOUT',
  412: 'PRECONDITION_FAILED',
  413: 'PAYLOAD_TOO_LARGE',
  415: 'UNSUPPORTED_MEDIA_TYPE',
  416: 'RANGE_NOT_SATISFIABLE',
};

function getErrorCode(exception: unknown): ErrorCode | undefined {
  if (exception instanceof HttpException) return CODE_BY_STATUS[exception.getStatus()];
  // http-errors, which Express throws, say whether a client may see them.
  const { status, expose } = exception as { status?: unknown; expose?: unknown };
  return typeof status === 'number' && expose === true ? CODE_BY_STATUS[status] : undefined;
}

const routeNotFound = (path: string) =>
  new ApiError('ROUTE_NOT_FOUND', 'Not found', { details: `There is no ${path}.` });

const methodNotAllowed = (method: string, path: string, allowed: string) =>
  new ApiError(
    'METHOD_NOT_ALLOWED',
    'Method not allowed',
    { details: `${path} does not accept ${method}. It accepts ${allowed}.` },
    { Allow: allowed },
  );

/** Answers every error in the envelope. An unexpected one is a 500 that gives the request's id and no reason. */
@Catch()
export class EnvelopeExceptionFilter implements ExceptionFilter {
  private readonly logger = new Logger('Requests');

  constructor(private readonly publicRequests: PublicRequests) {}

  catch(exception: unknown, host: ArgumentsHost): void {
    const request = host.switchToHttp().getRequest<Request>();
    const response = host.switchToHttp().getResponse<Response>();
    if (response.closed) return this.logUnanswered(exception, request);
    const refusal = this.toRefusal(exception, request);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    if (hasBody(request) && !request.complete) discardBody(request);
    response
      .set(refusal.headers)
      .status(refusal.getStatus())
      .json({ ...refusal.body, ...withDetails(request, refusal.members) });
  }

  /** The client has disconnected. This ends a request that only reads, so its error is expected. */
  private logUnanswered(error: unknown, { id, method }: Request): void {
    if (error instanceof ApiError || isSafeMethod(method)) return;
    this.logger.error({ err: error, requestId: id }, 'A request failed after its client had left');
  }

  private toRefusal(exception: unknown, request: Request): ApiError {
    if (exception instanceof ApiError) return exception;
    // Nest throws its own NotFoundException for a path without a route. Features throw ApiErrors.
    if (exception instanceof NotFoundException) return this.unknownRoute(request);
    const code = getErrorCode(exception);
    if (code) {
      const message = STATUS_CODES[getErrorStatus(code)] ?? 'Refused';
      return new ApiError(code, message, { details: (exception as Error).message });
    }
    this.logger.error({ err: exception, requestId: request.id }, 'A request failed');
    return internalError(failureMembers(request, serverFailed(request.id as string)));
  }

  private unknownRoute(request: Request): ApiError {
    const refusal = this.publicRequests.countRequest(request);
    if (refusal) return refusal;
    const [path = ''] = request.originalUrl.split('?');
    const allowed = allowedMethods(request).join(', ');
    return allowed === '' ? routeNotFound(path) : methodNotAllowed(request.method, path, allowed);
  }
}
