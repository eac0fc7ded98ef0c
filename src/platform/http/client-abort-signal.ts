import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Response } from 'express';
import { ApiError } from './errors';

const signals = new WeakMap<Response, AbortSignal>();

/** Returns a signal that is aborted when the client closes the connection before it has received the response. */
export function getAbortSignal(response: Response): AbortSignal {
  const known = signals.get(response);
  if (known) return known;
  const controller = new AbortController();
  const abort = () => response.writableFinished || controller.abort(clientClosedRequest());
  if (response.closed) abort();
  else response.once('close', abort);
  signals.set(response, controller.signal);
  return controller.signal;
}

/** The signal of {@link getAbortSignal}. */
export const ClientAbortSignal = createParamDecorator((_: unknown, context: ExecutionContext): AbortSignal =>
  getAbortSignal(context.switchToHttp().getResponse<Response>()),
);

/** This error appears in the log only. */
export const clientClosedRequest = () =>
  new ApiError('CLIENT_CLOSED_REQUEST', 'Client closed the connection');
