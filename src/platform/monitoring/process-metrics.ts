import cluster from 'node:cluster';
import { randomUUID } from 'node:crypto';
import type { Registry } from 'prom-client';

/** The messages between a server process and the process that has started it, for PROCESSES above 1. */
export interface MetricsMessage {
  type: 'metrics.requested' | 'metrics.reported' | 'metrics.sum_requested' | 'metrics.sum';
  requestId?: string;
  /** For `metrics.reported`: what the library's registry returns as JSON. */
  metrics?: unknown;
  /** For `metrics.sum`: the text format of Prometheus. */
  text?: string;
}

const SUM_TIMEOUT_MS = 5_000;

/** The number of this process; undefined for a server of one process. One that is started again has another number. */
export const processNumber = cluster.worker?.id;

/** The metrics of all processes of a server, which the process that has started them adds up. */
export class ProcessMetrics {
  private readonly requests = new Map<string, (text: string) => void>();

  private readonly onMessage = ({ type, requestId, text }: MetricsMessage) => {
    if (type === 'metrics.requested') void this.report(requestId);
    if (type === 'metrics.sum' && requestId) this.requests.get(requestId)?.(text ?? '');
  };

  constructor(private readonly registry: Registry) {
    process.on('message', this.onMessage);
  }

  /** Sends the last counts, since the process ends. */
  async close(): Promise<void> {
    process.off('message', this.onMessage);
    await this.report();
  }

  /** @throws Error if the starting process does not answer */
  async sum(): Promise<string> {
    const requestId = randomUUID();
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<string>((resolve, reject) => {
        const tooLong = new Error(`No sum of the processes' metrics within ${SUM_TIMEOUT_MS} ms`);
        timer = setTimeout(reject, SUM_TIMEOUT_MS, tooLong);
        this.requests.set(requestId, resolve);
        void send({ type: 'metrics.sum_requested', requestId });
      });
    } finally {
      clearTimeout(timer);
      this.requests.delete(requestId);
    }
  }

  private async report(requestId?: string): Promise<void> {
    await send({ type: 'metrics.reported', requestId, metrics: await this.registry.getMetricsAsJSON() });
  }
}

/** Resolves when the message is written, which takes several steps for a large one. */
const send = (message: MetricsMessage) =>
  new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()));
