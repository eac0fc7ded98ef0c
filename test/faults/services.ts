import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../scripts/embedded-postgres.cjs';
import { type RabbitmqNode, startRabbitmqNode } from '../../scripts/rabbitmq-node.cjs';
import { until } from '../support/until';

/** The suite's own Postgres, as durable as in production. */
export class Postgres {
  private constructor(
    private readonly folder: string,
    private server: EmbeddedPostgres,
  ) {}

  static async start(folder: string): Promise<Postgres> {
    return new Postgres(folder, await startEmbeddedPostgres({ folder }));
  }

  get url(): string {
    return this.server.url;
  }

  /** Ends the postmaster as a crash would; its other processes notice and follow. */
  async kill(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    await until(() => !this.server.isRunning());
  }

  /** Starts it again at the same address; it recovers what was committed. */
  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres({ folder: this.folder, port: this.server.port });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** What an installation stands on; the suite's own, since it is killed again and again. */
export interface Services {
  postgres: Postgres;
  rabbitmq: RabbitmqNode;
}

export async function startServices(folder: string): Promise<Services> {
  const [postgres, rabbitmq] = await Promise.all([
    Postgres.start(join(folder, 'postgres')),
    startRabbitmqNode({ dir: join(folder, 'rabbitmq') }),
  ]);
  return { postgres, rabbitmq };
}
