import type { Request } from 'express';
import { uuidv7 } from 'uuidv7';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Params } from 'nestjs-pino';
import type { Caller } from '../http/access';
import type { Config } from '../config';
import { errorToLog } from './error-to-log';

const PROBES = /^\/(health|metrics)/;

/** Takes a caller's request id if it is tame, so that a trace goes on; answers with it in `X-Request-Id`. */
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
    // Else ours would be given what pino's have made, where a request writes, and the things themselves elsewhere.
    wrapSerializers: false,
    // The headers, which pino-http would write, carry the credentials; a query may, by a client's mistake.
    serializers: {
      req: ({ id, method, originalUrl }: Request) => ({ id, method, path: originalUrl.split('?', 1)[0] }),
      res: ({ headersSent, statusCode }: ServerResponse) => ({ statusCode: headersSent ? statusCode : null }),
      err: errorToLog,
    },
  },
});
