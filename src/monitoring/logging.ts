import type { Request } from 'express';
import { uuidv7 } from 'uuidv7';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Config } from '../config';
import type { Caller } from '../http/access';
import { errorToLog } from './error-to-log';

const PROBES = /^\/(health|metrics)/;

/** Keeps the request id of the client if it has a safe form, so that traces continue. `X-Request-Id` returns it. */
function requestId(request: IncomingMessage, response: ServerResponse): string {
  const given = request.headers['x-request-id'];
  const id = typeof given === 'string' && /^[\w.:/+=-]{1,128}$/.test(given) ? given : uuidv7();
  response.setHeader('X-Request-Id', id);
  return id;
}

/** One JSON line for each request and event. Headers, queries and bodies are never written, so no credential can be. */
export const loggerParams = (config: Config): Params => ({
  pinoHttp: {
    level: config.LOG_LEVEL,
    genReqId: requestId,
    autoLogging: { ignore: (request) => PROBES.test(request.url ?? '') },
    customLogLevel: (_, response, error) => (error || response.statusCode >= 500 ? 'error' : 'info'),
    customProps: (request) => ({ workspaceId: (request as { user?: Caller }).user?.workspaceId }),
    // Otherwise our serializers get the output of pino's in requests, and the objects themselves elsewhere.
    wrapSerializers: false,
    // Headers contain credentials, and by mistake of a client a query can, too.
    serializers: {
      req: ({ id, method, originalUrl }: Request) => ({ id, method, path: originalUrl.split('?', 1)[0] }),
      res: ({ headersSent, statusCode }: ServerResponse) => ({ statusCode: headersSent ? statusCode : null }),
      err: errorToLog,
    },
  },
});
