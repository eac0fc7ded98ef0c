import { Injectable, type NestMiddleware, type OnApplicationShutdown } from '@nestjs/common';
import type { NextFunction, Request, Response } from 'express';
import { collectDefaultMetrics, Histogram, Registry } from 'prom-client';

/** Matches every path. Express reports it as the route of a request that no other route matches. */
export const CATCH_ALL_PATH = '{*path}';

@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();

  readonly httpDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP request duration in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
  }

  onApplicationShutdown(): void {
    this.registry.clear();
  }
}

/** Measures requests by the path of their route. Paths with ids would create a time series for each id. */
@Injectable()
export class HttpMetricsMiddleware implements NestMiddleware {
  constructor(private readonly metrics: Metrics) {}

  use(request: Request, response: Response, next: NextFunction): void {
    const endTimer = this.metrics.httpDuration.startTimer();
    response.once('close', () => {
      const path = (request.route as { path?: string } | undefined)?.path ?? `/${CATCH_ALL_PATH}`;
      const route = path === `/${CATCH_ALL_PATH}` ? 'none' : path;
      endTimer({ method: request.method, route, status: response.statusCode });
    });
    next();
  }
}
