import { Injectable, type NestMiddleware } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { uuidv7 } from 'uuidv7';
import type { Caller } from '../http/access';
import { Metrics } from './metrics';

const PROBES = /^\/(health|metrics)/;

const SAFE_ID = /^[\w.:/+=-]{1,128}$/;

/**
 * Gives each request an id, and writes one line and one measurement at its end. Headers, queries and bodies are never
 * written, so no credential can be. pino-http is not used: it makes two loggers and a context for each request.
 */
@Injectable()
export class RequestLogMiddleware implements NestMiddleware {
  constructor(
    private readonly logger: PinoLogger,
    private readonly metrics: Metrics,
  ) {}

  use(request: Request & { user?: Caller }, response: Response, next: NextFunction): void {
    const startedAt = performance.now();
    request.id = requestIdOf(request);
    response.setHeader('X-Request-Id', request.id);
    response.once('close', () => {
      const milliseconds = performance.now() - startedAt;
      this.metrics.observeRequest(request, response, milliseconds / 1_000);
      if (!PROBES.test(request.originalUrl)) this.log(request, response, Math.round(milliseconds));
    });
    next();
  }

  private log(
    { id, method, originalUrl, user }: Request & { user?: Caller },
    response: Response,
    responseTime: number,
  ) {
    const { headersSent, statusCode, writableFinished } = response;
    const line = {
      req: { id, method, path: originalUrl.split('?', 1)[0] },
      workspaceId: user?.workspaceId,
      res: { statusCode: headersSent ? statusCode : null },
      responseTime,
    };
    const message = writableFinished ? 'request completed' : 'request aborted';
    if (statusCode >= 500) this.logger.error(line, message);
    else this.logger.info(line, message);
  }
}

/** The id of the client if it has a safe form, so that traces continue. */
function requestIdOf({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && SAFE_ID.test(given) ? given : uuidv7();
}
