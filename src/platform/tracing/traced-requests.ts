import type { NextFunction, Request, Response } from 'express';
import { describeServer, endSpan, runInSpan, type Span, SpanKind, toContext } from './tracing';

/** The paths of the API. A stream would be a span of hours. */
const TRACED = /^\/(api\/(?!live\/?$)|mcp\/?$)/;

interface Authenticated {
  user?: { workspaceId: string };
}

/** The facts of a request that other folders read. */
export interface TracedRequestFacts {
  /** The valid `traceparent` of a request, or ''. */
  readTraceparent: (request: Request) => string;
  /** The pattern of the path. */
  getRoute: (request: Request) => string | null;
  /** The address of this server. The header Host is not read, because a client may write anything into it. */
  publicUrl: string;
}

const spans = new WeakMap<object, Span>();

/** The id of the trace of a request, for the line that the log has about it. */
export const getTraceId = (request: object): string | undefined => spans.get(request)?.spanContext().traceId;

/** The middleware that records a span for each request of the API. It continues the trace of the client. */
export const traceRequests = ({ readTraceparent, getRoute, publicUrl }: TracedRequestFacts) => {
  const server = describeServer(publicUrl);
  return (request: Request, response: Response, next: NextFunction): void => {
    if (!TRACED.test(request.path)) return next();
    const { method } = request;
    const parent = toContext(readTraceparent(request));
    const options = {
      kind: SpanKind.SERVER,
      attributes: { 'http.request.method': method, ...server },
      ...(parent && { parent }),
    };
    runInSpan(method, options, (span) => {
      spans.set(request, span);
      response.once('close', () => {
        const route = getRoute(request);
        if (route !== null) {
          span.updateName(`${method} ${route}`);
          span.setAttribute('http.route', route);
        }
        const { user } = request as Authenticated;
        if (user) span.setAttribute('parley.workspace_id', user.workspaceId);
        if (response.headersSent) span.setAttribute('http.response.status_code', response.statusCode);
        if (response.statusCode >= 500) endSpan(span, { code: String(response.statusCode) });
        else endSpan(span);
      });
      next();
    });
  };
};
