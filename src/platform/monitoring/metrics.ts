import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { Request, Response } from 'express';
import { collectDefaultMetrics, Counter, Histogram, Registry } from 'prom-client';
import { countLostSpans } from '../tracing/lost-spans';
import { isTracing } from '../tracing/tracing';
import { getRoute } from './get-route';
import { processNumber, ProcessMetrics } from './process-metrics';

@Injectable()
export class Metrics implements OnApplicationShutdown {
  readonly registry = new Registry();
  private readonly processes = processNumber === undefined ? undefined : new ProcessMetrics(this.registry);

  readonly httpDuration = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'HTTP request duration in seconds.',
    labelNames: ['method', 'route', 'status'],
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [this.registry],
  });

  constructor() {
    collectDefaultMetrics({ register: this.registry });
    if (isTracing()) this.countLostSpans();
  }

  /** Counts a request by the path of its route. Paths with ids would create a time series for each id. */
  observeRequest(request: Request, response: Response, seconds: number): void {
    const route = getRoute(request) ?? 'none';
    this.httpDuration.observe({ method: request.method, route, status: response.statusCode }, seconds);
  }

  /** The text format of Prometheus: the sum over all processes of this server. */
  read(): Promise<string> {
    return this.processes?.sum() ?? this.registry.metrics();
  }

  private countLostSpans(): void {
    new Counter({
      name: 'trace_spans_lost_total',
      help: 'Spans that were recorded and did not reach the receiver, by reason: queue_full or not_sent.',
      labelNames: ['reason'],
      registers: [this.registry],
      collect() {
        this.reset();
        for (const [reason, spans] of Object.entries(countLostSpans())) this.inc({ reason }, spans);
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.processes?.close();
    this.registry.clear();
  }
}
