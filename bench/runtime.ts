import { join } from 'node:path';
import type { Bench } from './benchmark';
import { ServerChild } from './server-child';
import type { Side } from './side';

const PROGRAM = join(__dirname, 'runtime.process.ts');

/** Starts a runtime that takes the calls of a side. */
export async function startRuntime({ services }: Bench, { prefix }: Side): Promise<ServerChild> {
  const [runtime] = await ServerChild.start(['-r', '@swc-node/register', PROGRAM], {
    RABBITMQ_URL: services.rabbitmqUrl,
    BROKER_PREFIX: prefix,
  });
  return runtime;
}
