import { Injectable } from '@nestjs/common';
import { Counter } from 'prom-client';
import { Metrics } from '../../../platform/monitoring/metrics';

/** Counts the answers to claims of incoming calls in the metrics: refusals mean that callers were turned away. */
@Injectable()
export class IncomingCallCounter {
  private readonly counter: Counter<'outcome'>;

  constructor({ registry }: Metrics) {
    this.counter = new Counter({
      name: 'incoming_calls_total',
      help: 'Claims of incoming calls by outcome: accepted, repeated, malformed, or the reason of the refusal.',
      labelNames: ['outcome'],
      registers: [registry],
    });
  }

  count(outcome: string): void {
    this.counter.inc({ outcome });
  }
}
