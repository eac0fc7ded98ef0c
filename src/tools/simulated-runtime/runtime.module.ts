import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { randomBytes } from 'node:crypto';
import { CONFIG, getPublicUrl, type RuntimeConfig } from '../../config';
import { MessageBroker } from '../../platform/messaging/message-broker';
import { TOPOLOGY, type Topology } from '../../platform/messaging/topology';
import { SimulatedRuntime } from './simulated-runtime';

/** The settings for tests of the runtime contract exist only in a process of its own. */
type RuntimeSettings = Pick<RuntimeConfig, 'ROLES' | 'HOST' | 'PORT' | 'PUBLIC_URL' | 'RUNTIME_OUTCOMES'> &
  Partial<Pick<RuntimeConfig, 'PARLEY_CONFORMANCE' | 'PARLEY_CAPACITY' | 'PARLEY_DRAIN_SECONDS'>>;

export const simulatedRuntime = (
  settings: RuntimeSettings,
  broker: MessageBroker,
  topology: Topology,
  takesCalls = true,
) =>
  new SimulatedRuntime({
    broker,
    topology,
    takesCalls,
    // Workspaces see it, so it contains nothing about the machine.
    workerId: `simulated runtime ${randomBytes(4).toString('hex')}`,
    // For the port 0, the system chooses a port, whose number the runtime does not have.
    publicUrl: settings.PORT === 0 && !settings.PUBLIC_URL ? undefined : getPublicUrl(settings),
    outcomes: settings.RUNTIME_OUTCOMES,
    isConformance: settings.PARLEY_CONFORMANCE !== undefined,
    capacity: settings.PARLEY_CAPACITY,
    graceMs: settings.PARLEY_DRAIN_SECONDS === undefined ? undefined : settings.PARLEY_DRAIN_SECONDS * 1_000,
  });

/** Runs the simulated runtime in this process if `ROLES` contains it. */
@Module({})
export class RuntimeModule implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  readonly runtime: SimulatedRuntime | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) config: RuntimeSettings,
    broker: MessageBroker,
    @Inject(TOPOLOGY) topology: Topology,
  ) {
    if (!config.ROLES.includes('runtime')) return;
    this.runtime = simulatedRuntime(config, broker, topology);
  }

  // Without RabbitMQ the runtime would wait for it, and the server with it.
  onApplicationBootstrap(): void {
    void this.runtime?.start();
  }

  onModuleDestroy(): void {
    this.stopped = this.runtime?.stop();
  }

  // Stops the runtime before the broker closes, while the server still processes the last events.
  async beforeApplicationShutdown(): Promise<void> {
    await this.stopped;
  }
}
