import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import type { Request } from 'express';
import { currentTraceparent } from '../tracing/tracing';

/** The length of version 00. A later version may add more behind another hyphen. */
const LENGTH = 55;

const FORM = /^([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/;

const isZero = (digits: string) => /^0+$/.test(digits);

/**
 * Returns the header `traceparent` of W3C Trace Context, to be passed on. A later version becomes version 00, of
 * which it has all parts. An invalid one becomes '': the specification says to ignore it.
 */
export function parseTraceparent(header: string): string {
  const [, version = '', traceId = '', parentId = '', flags = ''] = FORM.exec(header.slice(0, LENGTH)) ?? [];
  if (traceId === '' || version === 'ff' || isZero(traceId) || isZero(parentId)) return '';
  if (version === '00') return header.length === LENGTH ? header : '';
  if (header.length > LENGTH && header[LENGTH] !== '-') return '';
  const sampled = Number.parseInt(flags, 16) & 1;
  return `00-${traceId}-${parentId}-0${sampled}`;
}

/** Returns the {@link parseTraceparent} of a request; '' without one. */
export function readTraceparent({ headers: { traceparent } }: Pick<Request, 'headers'>): string {
  return typeof traceparent === 'string' ? parseTraceparent(traceparent) : '';
}

/** The parameter of a handler with the trace of the request: that of its span, or what it came with. */
export const Traceparent = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    currentTraceparent() || readTraceparent(context.switchToHttp().getRequest<Request>()),
);

/** Documents the header of {@link Traceparent}. */
export const ApiTraceparent = () =>
  ApiHeader({
    name: 'traceparent',
    required: false,
    description:
      'The trace to which the call belongs (W3C Trace Context). The runtime and the webhooks of the call get it. ' +
      'An invalid one is ignored.',
    schema: { type: 'string' },
    example: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  });
