import {
  applyDecorators,
  type CanActivate,
  type ExecutionContext,
  Injectable,
  UseGuards,
} from '@nestjs/common';
import type { Request } from 'express';
import { ApiErrorResponses } from './error-responses';
import { EXAMPLE_IDS } from '../validation/example';
import { ApiError, type ErrorMembers } from './errors';

/** The details of an unexpected error. */
export const serverFailed = (requestId: string) =>
  `The server failed on this request. Its log has the reason under request id ${requestId}.`;

export const internalError = (members: ErrorMembers) =>
  new ApiError('INTERNAL_ERROR', 'Internal server error', members);

const marked = new WeakSet<Request>();

/** This is a guard, because the guards of a route run before its body is read. */
@Injectable()
class MarkForDetails implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    marked.add(context.switchToHttp().getRequest<Request>());
    return true;
  }
}

/**
 * Marks the routes whose 500 has `details` itself in the API specification, and not within `error`. Their 400 has
 * them beside the `errors`.
 */
export const TopLevelErrorDetails = () =>
  applyDecorators(
    UseGuards(MarkForDetails),
    ApiErrorResponses([
      new ApiError('VALIDATION_FAILED', 'Validation failed', {
        errors: [{ field: 'body.colour', message: 'colour is not a known property' }],
        details: 'colour is not a known property.',
      }),
      internalError({ details: serverFailed(EXAMPLE_IDS.request) }),
    ]),
  );

export const failureMembers = (request: Request, details: string): ErrorMembers =>
  marked.has(request) ? { details } : { error: { details } };

export function withDetails(request: Request, members: ErrorMembers): ErrorMembers {
  const { errors, details } = members;
  if (!errors || !marked.has(request)) return members;
  const sentences = errors.map(({ message }) => `${message}.`);
  return { ...members, details: [...sentences, ...(details ? [details] : [])].join(' ') };
}
