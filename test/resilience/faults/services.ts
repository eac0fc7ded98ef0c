import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../../launch/postgres/embedded-postgres.cjs';
import { type RabbitmqNode, startRabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { until } from '../../support/until';

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

  /** Kills the postmaster like a crash; its other processes end after it. */
  async kill(): Promise<void> {
    process.kill(this.server.pid, 'SIGKILL');
    await until(() => !this.server.isRunning());
  }

  /** Starts Postgres again at the same address; it recovers the committed data. */
  async start(): Promise<void> {
    this.server = await startEmbeddedPostgres({ folder: this.folder, port: this.server.port });
  }

  stop(): Promise<void> {
    return this.server.stop();
  }
}

/** The services of an installation. The suite has its own, because it kills them. */
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
