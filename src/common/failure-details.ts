import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  UseInterceptors,
} from '@nestjs/common';
import type { Request } from 'express';
import type { ErrorMembers } from './errors';

const marked = new WeakSet<Request>();

@Injectable()
class MarkForDetails implements NestInterceptor {
  intercept(context: ExecutionContext, next: CallHandler) {
    marked.add(context.switchToHttp().getRequest<Request>());
    return next.handle();
  }
}

/** The route's 500 has `details` itself, where the interface document says so, and not within `error`. */
export const FailsWithDetails = () => UseInterceptors(MarkForDetails);

export const failureMembers = (request: Request, details: string): ErrorMembers =>
  marked.has(request) ? { details } : { error: { details } };
