import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { ApiClient } from './client';
import type { Demo } from '../../src/operator/demo';

const SCRIPT = `
  require('./src/main').start().then(
    ({ url, demo }) => process.send({ url, demo }),
    (error) => { console.error(error); process.exit(1); },
  );
`;

interface Started {
  url: string;
  demo: Demo | null;
}

/** The server as a process of its own, with everything that it writes. */
export class ServerProcess {
  /** What it has written so far. */
  output = '';

  private constructor(
    private readonly child: ChildProcess,
    private started: Started = { url: '', demo: null },
  ) {
    for (const stream of [child.stdout, child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => (this.output += text));
    }
  }

  static async start(settings: Record<string, string>): Promise<ServerProcess> {
    const child = spawn(process.execPath, ['-r', '@swc-node/register', '-e', SCRIPT], {
      cwd: join(__dirname, '..', '..'),
      env: { PATH: process.env.PATH, HOST: '127.0.0.1', PORT: '0', ...settings },
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

  /** Without a credential. */
  get api(): ApiClient {
    return new ApiClient(this.started.url);
  }

  /** Ends it; by then `output` has everything. */
  async stop(): Promise<void> {
    const closed = once(this.child, 'close');
    this.child.kill();
    await closed;
  }

  /** Ends it without a chance to finish anything; one that has ended by itself stays so. */
  async kill(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const closed = once(this.child, 'close');
    this.child.kill('SIGKILL');
    await closed;
  }
}
