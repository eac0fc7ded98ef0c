import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { WorkerOptions } from '@parley/worker';
import type { TestParley } from '../../../../test/support/parley';
import { rabbitmqUrl } from '../../../../test/support/rabbitmq';
import { until } from '../../../../test/support/until';

const ROOT = join(__dirname, '..', '..', '..', '..');

/** A worker in a process of its own, with its output. */
export class WorkerProcess {
  output = '';
  private readonly closed: Promise<unknown>;

  private constructor(private readonly child: ChildProcess) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
    this.closed = once(child, 'close');
  }

  /**
   * @param handler the body of a handler with the parameter `call`
   * @param before statements that run before the worker is created
   */
  static async start(
    parley: Pick<TestParley, 'topology'>,
    { handler, before = '', options = {} }: { handler: string; before?: string; options?: WorkerOptions },
  ): Promise<WorkerProcess> {
    const prefix = parley.topology.calls.replace(/\.calls$/, '');
    const settings = { url: rabbitmqUrl, prefix, handleSignals: true, ...options };
    const program = `
      ${before}
      const { CallFailed, createWorker } = require('@parley/worker');
      const worker = createWorker(${JSON.stringify(settings)}, async (call) => {${handler}});
      worker.on('end', () => console.log('ended'));
      worker.on('state', (state) => console.log('state ' + state));
      worker.run().then(() => console.log('ran'), (error) => console.log('rejected: ' + error.message));`;
    const child = spawn(process.execPath, ['-e', program], { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'] });
    const worker = new WorkerProcess(child);
    await until(() => /state running|rejected/.test(worker.output)).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${worker.output}`);
    });
    return worker;
  }

  get hasEnded(): boolean {
    return this.child.exitCode !== null || this.child.signalCode !== null;
  }

  signal(name: NodeJS.Signals): void {
    this.child.kill(name);
  }

  /** Resolves with its exit code when `output` is complete. */
  async ended(): Promise<number | null> {
    await this.closed;
    return this.child.exitCode;
  }

  /** Kills the process, unless it has ended. */
  async kill(): Promise<void> {
    if (!this.hasEnded) this.child.kill('SIGKILL');
    await this.closed;
  }
}
