import { join } from 'node:path';
import type { Bench } from './benchmark';
import { ServerChild } from './server-child';
import type { Side } from './side';

const PROGRAM = join(__dirname, 'runtime.process.ts');

/**
 * Starts a runtime that takes the calls of a side.
 * @param callSeconds how long a call usually takes; left out: it ends at once
 */
export async function startRuntime(
  { services }: Pick<Bench, 'services'>,
  { prefix }: Side,
  callSeconds?: number,
): Promise<ServerChild> {
  const [runtime] = await ServerChild.start(['-r', '@swc-node/register', PROGRAM], {
    RABBITMQ_URL: services.rabbitmqUrl,
    BROKER_PREFIX: prefix,
    ...(callSeconds !== undefined && { CALL_SECONDS: String(callSeconds) }),
  });
  return runtime;
}
