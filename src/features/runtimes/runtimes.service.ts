import { Inject, Injectable, Logger } from '@nestjs/common';
import { REALTIME } from '@parley/voice';
import { CONFIG, type Config } from '../../config';
import { MessageBroker, type QueueFigures } from '../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../platform/messaging/topology';
import type { RuntimesDto } from './runtimes.dto';
import { presentWorker } from './runtimes.presenter';
import { type Hello, RuntimesRepository } from './runtimes.repository';

/** Lists the runtimes that take calls, and the queues of calls that wait for them. */
@Injectable()
export class RuntimesService {
  private readonly logger = new Logger(RuntimesService.name);

  constructor(
    private readonly workers: RuntimesRepository,
    private readonly broker: MessageBroker,
    @Inject(TOPOLOGY) private readonly topology: Topology,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /** A hello that cannot be stored is not repeated: the next one follows in seconds, and this one would be old. */
  async hello(hello: Hello): Promise<void> {
    await this.workers.store(hello).catch((error: unknown) => {
      this.logger.warn({ err: error, workerId: hello.id }, 'The hello of a runtime could not be stored');
    });
  }

  async overview(workspaceId: string): Promise<RuntimesDto> {
    const { callsQueue, claimsQueue, eventsQueue, deadCallsQueue, deadEventsQueue } = this.topology;
    const shown: string[] = [callsQueue, claimsQueue, eventsQueue];
    const [figures, workers] = await Promise.all([this.figures(), this.workers.find(workspaceId)]);
    const { voice } = this.config;
    const readyIn = (queue: string) => figures.find(({ name }) => name === queue)?.ready ?? null;
    return {
      broker: { kind: this.broker.kind, state: figures.length > 0 ? 'up' : 'down' },
      queues: figures.filter(({ name }) => shown.includes(name)),
      dead: { calls: readyIn(deadCallsQueue), events: readyIn(deadEventsQueue) },
      workers: workers.map(presentWorker),
      language_models: voice
        ? [...voice.models.keys(), ...(voice.accounts[REALTIME] ? [REALTIME] : [])]
        : null,
    };
  }

  /** Empty while the broker does not answer. */
  private async figures(): Promise<QueueFigures[]> {
    try {
      return await this.broker.queueFigures();
    } catch (error) {
      this.logger.warn({ err: error }, 'The broker did not answer with the figures of its queues');
      return [];
    }
  }
}
