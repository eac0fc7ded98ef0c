import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from './errors';

const signals = new WeakMap<Response, AbortSignal>();

/** Aborted when the client closes the connection before it has its answer. */
export function abortSignalOf(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const gone = new AbortController();
  const abort = () => response.writableFinished || gone.abort(clientClosedRequest());
  if (response.closed) abort();
  else response.once('close', abort);
  signals.set(response, gone.signal);
  return gone.signal;
}

/** The signal of {@link abortSignalOf}. */
export const ClientAbortSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  abortSignalOf(context.switchToHttp().getResponse<Response>()),
);

/** Only the log has it. */
export const clientClosedRequest = () => new ApiError(499, 'Client closed the connection');
