import { join } from 'node:path';
import pg, { type ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { type Config, urlsByHost } from '../../config';
import { CONNECTION_WAIT_SECONDS, FairPool, type FairPoolConfig } from './fair-pool';
import { PostgresNamingStrategy } from './postgres-naming.strategy';
import { primaryClient } from './primary-client';
import { traceStatements } from '../tracing/traced-statements';
import { findStatementName } from './statement';
import { statementTimeout } from './statement-timeouts';

/**
 * The time is longer than any statement of a request holds a lock by design. A request that waits longer is
 * answered with 503.
 */
const LOCK_TIMEOUT_MS = 3_000;

/**
 * A server that is cut off or frozen in the middle of a transaction keeps its locks until then. TCP may need two hours to
 * notice. Between two statements of a transaction, a server does nothing that takes a second.
 */
const IDLE_TRANSACTION_TIMEOUT_MS = 10_000;

/** If the platform cannot watch a connection, Postgres refuses the setting with this code. */
const INVALID_PARAMETER_VALUE = '22023';

/**
 * A connection that is cut while the pool hands it over has no other listener, and an unheard error event ends the
 * process. A statement whose client is gone, also one whose server was killed, ends within a second.
 */
async function prepare(client: ClientBase): Promise<void> {
  client.on('error', () => undefined);
  traceStatements(client, findStatementName);
  // No statement runs for long enough to be worth its compilation, which takes a hundred times as long as a short one.
  await client.query(
    `SET jit = off; SET idle_in_transaction_session_timeout = ${IDLE_TRANSACTION_TIMEOUT_MS}`,
  );
  try {
    await client.query(`SET client_connection_check_interval = '1s'`);
  } catch (error) {
    if ((error as { code?: unknown }).code !== INVALID_PARAMETER_VALUE) throw error;
  }
}

type DatabaseConfig = Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'> &
  Partial<Pick<Config, 'WORKSPACE_CONNECTIONS'>>;

/** pg does not declare it. */
interface Prepared {
  onConnect: (client: ClientBase) => Promise<void>;
}

const limits = (config: Omit<DatabaseConfig, 'DATABASE_URL'>) => ({
  connectionTimeoutMillis: CONNECTION_WAIT_SECONDS * 1_000,
  statement_timeout: statementTimeout('default'),
  lock_timeout: LOCK_TIMEOUT_MS,
  workspaceMax: config.WORKSPACE_CONNECTIONS ?? config.DATABASE_POOL_SIZE,
});

/** The options of the server's data source. The TypeORM command line uses them too, through `ormconfig.ts`. */
export function dataSourceOptions(config: DatabaseConfig) {
  const urls = urlsByHost(config.DATABASE_URL);
  return {
    type: 'postgres',
    // With several hosts, the class of the clients chooses one.
    url: urls[0],
    applicationName: 'parley',
    entities: [join(__dirname, '..', '..', '**', '*.entity.{ts,js}')],
    migrations: [join(__dirname, 'migrations', '*.{ts,js}')],
    migrationsTransactionMode: 'each',
    namingStrategy: new PostgresNamingStrategy(),
    // Ids are UUIDv7 made by the application; without this TypeORM would install an extension, which needs a superuser.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    poolSize: config.DATABASE_POOL_SIZE,
    driver: { ...pg, Pool: FairPool },
    extra: {
      Client: primaryClient(urls),
      hosts: urls.length,
      ...limits(config),
      onConnect: prepare,
    } satisfies Partial<FairPoolConfig> & Prepared,
  } satisfies DataSourceOptions;
}

/**
 * A pool of connections to one host, in which a statement cannot write.
 * @param onConnect is called for each connection before it is used
 */
export function readOnlyPool(
  url: string,
  config: Omit<DatabaseConfig, 'DATABASE_URL'>,
  onConnect: (client: ClientBase) => void,
): FairPool {
  const options: FairPoolConfig & Prepared = {
    connectionString: url,
    application_name: 'parley reports',
    max: config.DATABASE_POOL_SIZE,
    hosts: 1,
    ...limits(config),
    onConnect: async (client) => {
      onConnect(client);
      await prepare(client);
      await client.query('SET default_transaction_read_only = on');
    },
  };
  return new FairPool(options);
}
