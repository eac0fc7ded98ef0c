import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { tmpdir } from 'node:os';
import { createAgent } from '../test/support/agents';
import { ApiClient } from '../test/support/client';
import { createDatabase } from '../test/support/database';
import { PRODUCT_FOLDER, PRODUCT_OPTIONS } from '../test/support/product';
import type { Bench } from './benchmark';
import { idlePool, type MeasuredServer, newPrefix, removeServer, startCallRequest } from './measured-server';
import { ServerChild } from './server-child';

/** The options that `npm start` sets. */
const SERVER_OPTIONS = ['--max-semi-space-size=64'];

const SCRIPT = `
  process.on('disconnect', () => process.exit());
  require(process.env.PRODUCT + '/main.js').start().then(
    ({ url }) => process.send({ url }),
    (error) => { console.error(error); process.exit(1); },
  );
`;

export const JWT_SECRET = 'a secret of thirty-two bytes or more';

/** The settings are the defaults, except for limits that a benchmark would reach. */
const SETTINGS = {
  HOST: '127.0.0.1',
  PORT: '0',
  JWT_SECRET,
  ALLOW_PRIVATE_ADDRESSES: 'true',
  RATE_LIMIT_PER_MINUTE: '1000000000',
  WORKSPACE_CONCURRENCY: '1000000',
  CALL_TTL_SECONDS: '3600',
  LEASE_SECONDS: '3600',
};

const IS_BUSY = 'SELECT EXISTS (SELECT FROM conversations WHERE ended_at IS NULL) AS busy';

/** @param callFields further fields of each call */
export async function startParley(
  { services: { rabbitmqUrl }, workspaces }: Bench,
  settings: Record<string, string> = {},
  callFields: object = {},
): Promise<MeasuredServer> {
  const database = await createDatabase();
  const prefix = newPrefix('parley');
  const [child, message] = await ServerChild.start([...SERVER_OPTIONS, ...PRODUCT_OPTIONS, '-e', SCRIPT], {
    ...SETTINGS,
    PRODUCT: PRODUCT_FOLDER,
    PARLEY_DATA: join(tmpdir(), `parley-${randomBytes(4).toString('hex')}`),
    DATABASE_URL: database.url,
    RABBITMQ_URL: rabbitmqUrl,
    BROKER_PREFIX: prefix,
    ...settings,
  });
  const { url } = message as { url: string };
  const sql = idlePool(database.url);
  const startCalls = [];
  for (const { apiKey } of workspaces) {
    const agentId = await createAgent({ api: new ApiClient(url, { 'x-api-key': apiKey }) });
    startCalls.push(startCallRequest(apiKey, agentId, callFields));
  }
  return {
    name: 'Parley',
    url,
    child,
    prefix,
    databaseUrl: database.url,
    sql,
    startCalls,
    isBusy: IS_BUSY,
    stop: () => removeServer({ child, sql, prefix }, database, rabbitmqUrl),
  };
}
