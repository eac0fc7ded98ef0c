import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from './errors';

const signals = new WeakMap<Response, AbortSignal>();

/** Aborted when the client closes the connection before it has received the response. */
export function abortSignalOf(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const controller = new AbortController();
  const abort = () => response.writableFinished || controller.abort(clientClosedRequest());
  if (response.closed) abort();
  else response.once('close', abort);
  signals.set(response, controller.signal);
  return controller.signal;
}

/** The signal of {@link abortSignalOf}. */
export const ClientAbortSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  abortSignalOf(context.switchToHttp().getResponse<Response>()),
);

/** Appears in the log only. */
export const clientClosedRequest = () =>
  new ApiError('CLIENT_CLOSED_REQUEST', 'Client closed the connection');
