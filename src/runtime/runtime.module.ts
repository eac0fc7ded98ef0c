import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { hostname } from 'node:os';
import { CONFIG, publicUrlOf, type RuntimeConfig } from '../config';
import { MessageBroker } from '../messaging/message-broker';
import { TOPOLOGY, type Topology } from '../messaging/topology';
import { SimulatedRuntime } from './simulated-runtime';

type RuntimeSettings = Pick<RuntimeConfig, 'ROLES' | 'HOST' | 'PORT' | 'PUBLIC_URL' | 'RUNTIME_OUTCOMES'>;

export const simulatedRuntime = (settings: RuntimeSettings, broker: MessageBroker, topology: Topology) =>
  new SimulatedRuntime({
    broker,
    topology,
    workerId: `simulated runtime ${hostname()}:${process.pid}`,
    // The system chooses the port 0, and the runtime does not learn which.
    publicUrl: settings.PORT === 0 && !settings.PUBLIC_URL ? undefined : publicUrlOf(settings),
    outcomes: settings.RUNTIME_OUTCOMES,
  });

/** Runs the simulated runtime in this process if `ROLES` contains it. */
@Module({})
export class RuntimeModule implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly runtime: SimulatedRuntime | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) config: RuntimeSettings,
    broker: MessageBroker,
    @Inject(TOPOLOGY) topology: Topology,
  ) {
    if (!config.ROLES.includes('runtime')) return;
    this.runtime = simulatedRuntime(config, broker, topology);
  }

  async onApplicationBootstrap(): Promise<void> {
    await this.runtime?.start();
  }

  onModuleDestroy(): void {
    this.stopped = this.runtime?.stop();
  }

  // Before the broker closes, and while the server still processes the last events.
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
