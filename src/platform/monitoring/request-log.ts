import { Injectable } from '@nestjs/common';
import type { Request, RequestHandler, Response } from 'express';
import { PinoLogger } from 'nestjs-pino';
import { uuidv7 } from 'uuidv7';
import type { Caller } from '../http/access';
import { getClientNetwork } from '../http/client-network';
import { MinuteCounts } from '../http/minute-counts';
import { getTraceId } from '../tracing/traced-requests';
import { Metrics } from './metrics';
import { getIds, getRoute } from './get-route';

const PROBES = /^\/(health|metrics)/;

/** A UUID, or an id of a trace. A number of a person has 15 digits at most. */
const KEPT_ID = /^(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|(?=.*[a-f])[\da-f]{16,64})$/i;

interface LoggedRequest extends Request {
  user?: Caller;
}

/**
 * Gives each request an id, and writes one line and one measurement at its end. Headers, paths, queries and bodies are
 * never written, as they can have a credential or a person in them. pino-http would make two loggers for each request.
 */
@Injectable()
export class RequestLog {
  private readonly refused = new MinuteCounts();

  constructor(
    private readonly logger: PinoLogger,
    private readonly metrics: Metrics,
  ) {}

  /** The middleware, which must come before all that answers. */
  middleware(): RequestHandler {
    const logRequest: RequestHandler = (request, response, next) => {
      const startedAt = performance.now();
      request.id = readRequestId(request);
      response.setHeader('X-Request-Id', request.id);
      response.once('close', () => {
        const milliseconds = performance.now() - startedAt;
        this.metrics.observeRequest(request, response, milliseconds / 1_000);
        this.log(request as LoggedRequest, response, Math.round(milliseconds));
      });
      next();
    };
    return logRequest;
  }

  private log(request: LoggedRequest, response: Response, responseTime: number): void {
    const { id, method, user } = request;
    const { headersSent, statusCode, writableFinished } = response;
    const line = {
      req: { id, method, route: getRoute(request), ...getIds(request) },
      workspaceId: user?.workspaceId,
      res: { statusCode: headersSent ? statusCode : null },
      responseTime,
      trace_id: getTraceId(request),
    };
    if (statusCode === 429 && !user) return this.logRefusal(request, line);
    if (PROBES.test(request.originalUrl)) return;
    const message = writableFinished ? 'request completed' : 'request aborted';
    if (statusCode >= 500) this.logger.error(line, message);
    else this.logger.info(line, message);
  }

  /**
   * Logs a refused request. Anybody can send any number of such requests, so each address has one line a minute.
   */
  private logRefusal(request: Request, line: object): void {
    const clientNetwork = getClientNetwork(request);
    if (this.refused.of(clientNetwork) > 0) return;
    this.refused.add(clientNetwork);
    this.logger.warn(
      { ...line, clientNetwork },
      'An address sends too many requests; further refusals in the next minute are only counted',
    );
  }
}

/** The id of the client if it can be nothing but an id, so that traces continue. */
function readRequestId({ headers }: Request): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && KEPT_ID.test(given) ? given : uuidv7();
}
