import helmet from 'helmet';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';

type Middleware = (request: IncomingMessage, response: ServerResponse, next: () => void) => void;

// The page at /docs is also read over plain HTTP on other hosts than localhost.
const setHeaders = helmet({ contentSecurityPolicy: { directives: { upgradeInsecureRequests: null } } });

/** The headers of helmet, which are the same for every response and so are computed once. */
export function securityHeaders(): Middleware {
  const request = new IncomingMessage(new Socket());
  const computed = new ServerResponse(request);
  setHeaders(request, computed, (error) => {
    if (error) throw error as Error;
  });
  const headers = Object.entries(computed.getHeaders()) as [string, string][];
  return function setSecurityHeaders(_, response, next) {
    for (const [name, value] of headers) response.setHeader(name, value);
    next();
  };
}
