import { Parley, type ParleyOptions } from '@parley/client';
import { TestParley, type TestWorkspace } from '../../../../test/support/parley';
import { SimulatedRuntime } from '../../../../src/tools/simulated-runtime/simulated-runtime';
import { FaultyProxy } from './faulty-proxy';

/** Milliseconds for each line of a conversation. */
const PACE_MS = 20;

/** A server with a runtime, behind a proxy with faults. */
export class ClientServer {
  private runtime: SimulatedRuntime | undefined;

  private constructor(
    readonly parley: TestParley,
    readonly proxy: FaultyProxy,
  ) {}

  static async start(settings: Record<string, string> = {}): Promise<ClientServer> {
    const parley = await TestParley.start({ ALLOW_PRIVATE_ADDRESSES: 'true', ...settings });
    const proxy = await FaultyProxy.start(() => parley.url);
    const server = new ClientServer(parley, proxy);
    await server.startRuntime();
    return server;
  }

  /** Does something while no runtime takes calls. */
  async withoutRuntime(work: () => Promise<void>): Promise<void> {
    await this.runtime?.stop();
    this.runtime = undefined;
    try {
      await work();
    } finally {
      await this.startRuntime();
    }
  }

  workspace(): Promise<TestWorkspace> {
    return this.parley.workspace({ credits: 1_000 });
  }

  /** A client of a workspace, through the proxy. */
  client({ apiKey }: { apiKey: string }, options: Partial<ParleyOptions> = {}): Parley {
    return new Parley({ baseUrl: this.proxy.url, apiKey, ...options });
  }

  async stop(): Promise<void> {
    await this.proxy.stop();
    await this.runtime?.stop();
    await this.parley.stop();
  }

  private async startRuntime(): Promise<void> {
    const { broker, topology } = this.parley;
    this.runtime = new SimulatedRuntime({ broker, topology, workerId: 'test runtime', pace: PACE_MS });
    await this.runtime.start();
  }
}
