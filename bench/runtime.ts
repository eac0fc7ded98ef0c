import { join } from 'node:path';
import type { Bench } from './benchmark';
import type { MeasuredServer } from './measured-server';
import { ServerChild } from './server-child';

const PROGRAM = join(__dirname, 'runtime.process.ts');

/**
 * Starts a runtime that takes the calls of a server.
 * @param callSeconds how long a call usually takes; left out: it ends at once
 */
export async function startRuntime(
  { services }: Pick<Bench, 'services'>,
  { prefix }: MeasuredServer,
  callSeconds?: number,
): Promise<ServerChild> {
  const [runtime] = await ServerChild.start(['-r', '@swc-node/register', PROGRAM], {
    RABBITMQ_URL: services.rabbitmqUrl,
    BROKER_PREFIX: prefix,
    ...(callSeconds !== undefined && { CALL_SECONDS: String(callSeconds) }),
  });
  return runtime;
}
