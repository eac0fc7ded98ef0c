import { join } from 'node:path';
import type { ClientBase } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import type { Config } from '../config';
import { PostgresNamingStrategy } from './postgres-naming.strategy';

/**
 * A connection that is cut while the pool hands it over has no other listener, and an error event that nobody hears
 * ends the process. Its next statement fails all the same, and the pool drops it then.
 */
const hearErrors = (client: ClientBase) => client.on('error', () => undefined);

/** Also what the TypeORM command line uses, through `ormconfig.ts`. */
export const dataSourceOptions = (config: Pick<Config, 'DATABASE_URL' | 'DATABASE_POOL_SIZE'>) =>
  ({
    type: 'postgres',
    url: config.DATABASE_URL,
    applicationName: 'parley',
    entities: [join(__dirname, '..', '**', '*.entity.{ts,js}')],
    migrations: [join(__dirname, 'migrations', '*.{ts,js}')],
    migrationsTransactionMode: 'all',
    namingStrategy: new PostgresNamingStrategy(),
    // Ids are UUIDv7 made by the application; without this TypeORM would install an extension, which needs a superuser.
    uuidExtension: 'pgcrypto',
    installExtensions: false,
    poolSize: config.DATABASE_POOL_SIZE,
    extra: { connectionTimeoutMillis: 5_000, statement_timeout: 30_000, onConnect: hearErrors },
  }) satisfies DataSourceOptions;
