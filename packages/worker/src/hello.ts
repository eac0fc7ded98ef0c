import { randomUUID } from 'node:crypto';
import { backoffMs } from './backoff';
import type { Gate } from './gate';
import { type ProviderOfWorker, TYPES } from './messages';
import { pause } from './pause';
import type { Problems } from './problems';
import { failureKind, type Transport } from './transport';

const LONGEST_PAUSE_MS = 5_000;
const INTERVAL_MS = 15_000;

export interface HelloOptions {
  transport: Transport;
  exchange: string;
  workerId: string;
  name: string;
  version: string;
  capacity: number;
  /** The number of calls. */
  calls: () => number;
}

/** Shows the worker to operators, also while it is idle. */
export class Hello {
  /** The providers that the worker asks, if it has said so. */
  providers: ProviderOfWorker[] | undefined;
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: HelloOptions) {}

  start(): void {
    // A hello that fails is not repeated: the next one follows.
    this.timer = setInterval(() => void this.say().catch(() => undefined), INTERVAL_MS);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /**
   * Resolves when the broker has stored a hello. This shows whether the worker may write to the exchange of
   * events.
   * @throws TransportError if it may not
   */
  async sayFirst(connection: Gate, problems: Problems, signal: AbortSignal): Promise<void> {
    for (let failures = 1; !signal.aborted; failures++) {
      await connection.passed(signal);
      try {
        await this.say();
        problems.solved('hello');
        return;
      } catch (error) {
        const kind = failureKind(error);
        if (kind === 'refused') throw error;
        if (kind === 'missing') problems.report('hello', (error as Error).message);
      }
      await pause(backoffMs(failures, LONGEST_PAUSE_MS), signal);
    }
  }

  private async say(): Promise<void> {
    const { transport, exchange, workerId, name, version, capacity, calls } = this.options;
    await transport.publish({
      exchange,
      routingKey: 'worker.hello',
      type: TYPES.hello,
      messageId: randomUUID(),
      body: {
        ...{ worker_id: workerId, name, version, capacity, calls: calls() },
        ...(this.providers && { providers: this.providers }),
      },
      expirationMs: INTERVAL_MS,
      transient: true,
    });
  }
}
