import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ApiClient } from './client';
import { PRODUCT_FOLDER, PRODUCT_OPTIONS } from './product';
import type { Demo } from '../../src/tools/operator/demo';

// Signals end this process in the same way as npm start.
const SCRIPT = `
  import('./launch/process/shutdown.mjs').then(({ beforeShutdown, closeInTime, fail, handleSignals, onShutdown, signalsAreExpected }) => {
    handleSignals();
    // A test that is killed leaves no server behind.
    process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
    if (process.env.PROCESSES) {
      // Otherwise each process of the server would run this script.
      process.execArgv = [];
      return import('./launch/server/server-processes.mjs').then(({ startProcesses }) =>
        startProcesses(Number(process.env.PROCESSES), process.env.PRODUCT + '/main.js').then((url) => {
          signalsAreExpected();
          process.send({ url, demo: null });
        }),
      ).catch(fail);
    }
    return require(process.env.PRODUCT + '/main').start().then((app) => {
      beforeShutdown((signal) => app.drain(signal));
      onShutdown(() => closeInTime(app));
      signalsAreExpected();
      process.send({ url: app.url, demo: app.demo });
    }, fail);
  });
`;

interface Started {
  url: string;
  demo: Demo | null;
}

/** The server in a separate process, with its output. */
export class ServerProcess {
  /** The output of the server so far. */
  output = '';
  /** Resolves when the process has ended and `output` is complete, also if this was before somebody waits for it. */
  private readonly closed: Promise<unknown>;

  private constructor(
    private readonly child: ChildProcess,
    private started: Started = { url: '', demo: null },
  ) {
    this.closed = once(child, 'close');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  static async start(settings: Record<string, string>): Promise<ServerProcess> {
    const child = spawn(process.execPath, [...PRODUCT_OPTIONS, '-e', SCRIPT], {
      cwd: join(__dirname, '..', '..'),
      // Most tests stop a server that nobody uses any more.
      env: {
        ...{
          PATH: process.env.PATH,
          PRODUCT: PRODUCT_FOLDER,
          HOST: '127.0.0.1',
          PORT: '0',
          DRAIN_SECONDS: '0',
        },
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const server = new ServerProcess(child);
    const [message] = (await Promise.race([once(child, 'message'), once(child, 'exit')])) as [unknown];
    if (typeof message !== 'object') throw new Error(`The server did not start:\n${server.output}`);
    server.started = message as Started;
    return server;
  }

  get demo(): Demo | null {
    return this.started.demo;
  }

  /** A client without a credential. */
  get api(): ApiClient {
    return new ApiClient(this.url);
  }

  get url(): string {
    return this.started.url;
  }

  get pid(): number {
    return this.child.pid as number;
  }

  /** Stops the server gracefully. Resolves with its exit code when `output` is complete. */
  async stop(): Promise<number | null> {
    this.child.kill();
    await this.closed;
    return this.child.exitCode;
  }

  /** Stops the execution of the server. Its connections stay open, and nothing is answered. */
  pause(): void {
    this.child.kill('SIGSTOP');
  }

  resume(): void {
    this.child.kill('SIGCONT');
  }

  get isRunning(): boolean {
    return this.child.exitCode === null && this.child.signalCode === null;
  }

  /** Kills the server with SIGKILL, unless it has ended. Resolves when `output` is complete. */
  async kill(): Promise<void> {
    this.child.kill('SIGKILL');
    await this.closed;
  }
}
