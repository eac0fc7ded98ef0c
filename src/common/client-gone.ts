import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from './errors';

/** Aborted when the client closes the connection before it has its answer. */
export const ClientGone = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal => {
  const response = context.switchToHttp().getResponse<Response>();
  const gone = new AbortController();
  if (response.closed) gone.abort();
  response.once('close', () => gone.abort());
  return gone.signal;
});

/** Nobody sees it but the log. */
export const clientGone = () => new ApiError(499, 'Client closed the connection');
