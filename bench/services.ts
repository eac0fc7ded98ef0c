import { connect } from 'amqplib';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../launch/postgres/embedded-postgres.cjs';
import { startRabbitmqNode } from '../test/run/rabbitmq-node.cjs';
import { findListener } from './processes';

/** The Postgres and the RabbitMQ of all measured servers, on this machine. */
export interface Services {
  rabbitmqUrl: string;
  rabbitmqVersion: string;
  postgresPid: number;
  rabbitmqPid: number;
  stop(): Promise<void>;
}

/** RabbitMQ closes the connections of a process that is paused for more than twice this time. */
const HEARTBEAT_SECONDS = 60;

const getPort = (url: string, usual: number) => Number(new URL(url).port || usual);

/**
 * Uses the services of TEST_DATABASE_URL and TEST_RABBITMQ_URL, otherwise private ones, which are as durable as in
 * production.
 */
export async function startServices(): Promise<Services> {
  const { TEST_DATABASE_URL, TEST_RABBITMQ_URL } = process.env;
  const settings = { max_connections: 300 };
  const [postgres, rabbitmq] = await Promise.all([
    TEST_DATABASE_URL ? undefined : startEmbeddedPostgres({ folder: join(tmpdir(), 'postgres'), settings }),
    TEST_RABBITMQ_URL ? undefined : startRabbitmqNode({ dir: join(tmpdir(), 'rabbitmq') }),
  ]);
  const databaseUrl = postgres?.url ?? String(TEST_DATABASE_URL);
  const address = new URL(rabbitmq?.url ?? String(TEST_RABBITMQ_URL));
  address.searchParams.set('heartbeat', String(HEARTBEAT_SECONDS));
  const rabbitmqUrl = address.href;
  process.env.TEST_DATABASE_URL = databaseUrl;
  return {
    rabbitmqUrl,
    rabbitmqVersion: await readVersion(rabbitmqUrl),
    postgresPid: findListener(getPort(databaseUrl, 5_432)),
    rabbitmqPid: findListener(getPort(rabbitmqUrl, 5_672)),
    async stop() {
      await Promise.all([postgres?.stop(), rabbitmq?.stop()]);
    },
  };
}

async function readVersion(rabbitmqUrl: string): Promise<string> {
  const model = await connect(rabbitmqUrl);
  const { version } = model.connection.serverProperties;
  await model.close();
  return String(version);
}
