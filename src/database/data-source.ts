import { join } from 'node:path';
import type { DataSourceOptions } from 'typeorm';
import type { Config } from '../config';
import { PostgresNamingStrategy } from './postgres-naming.strategy';

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
    extra: { connectionTimeoutMillis: 5_000, statement_timeout: 30_000 },
  }) satisfies DataSourceOptions;
