import {
  type BeforeApplicationShutdown,
  Inject,
  Module,
  type OnApplicationBootstrap,
  type OnModuleDestroy,
} from '@nestjs/common';
import { hostname } from 'node:os';
import { CONFIG, type Config } from '../config';
import { MessageBroker } from '../messaging/message-broker';
import { TOPOLOGY, type Topology } from '../messaging/topology';
import { SimulatedRuntime } from './simulated-runtime';

/** Runs the simulated runtime in this process if `ROLES` contains it. */
@Module({})
export class RuntimeModule implements OnApplicationBootstrap, OnModuleDestroy, BeforeApplicationShutdown {
  private readonly runtime: SimulatedRuntime | undefined;
  private stopped: Promise<void> | undefined;

  constructor(
    @Inject(CONFIG) { ROLES }: Pick<Config, 'ROLES'>,
    broker: MessageBroker,
    @Inject(TOPOLOGY) topology: Topology,
  ) {
    if (!ROLES.includes('runtime')) return;
    const workerId = `simulated runtime ${hostname()}:${process.pid}`;
    this.runtime = new SimulatedRuntime({ broker, topology, workerId });
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
