import { existsSync, mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../process/root.mjs';
import { readOrCreateSecret } from '../process/secret-file.cjs';
import { onShutdown } from '../process/shutdown.mjs';

/** Loads .env, which does not override variables that are already set, and creates the data folder. */
export function loadEnvironment() {
  const file = join(root, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  const dataFolder = resolve(process.env.PARLEY_DATA || join(root, '.parley'));
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  process.env.PARLEY_DATA = dataFolder;
  return { dataFolder, embedded: !process.env.DATABASE_URL };
}

/** Sets the environment variables that the application needs: a database, and a secret that signs tokens. */
export async function provideServices({ dataFolder, embedded }, { keepAlive } = {}) {
  if (embedded) {
    const { usePostgres } = await import('../postgres/shared-postgres.mjs');
    const postgres = await usePostgres(dataFolder, { keepAlive });
    onShutdown(() => postgres.release());
    process.env.DATABASE_URL = postgres.url;
    process.env.HOST ||= '127.0.0.1';
    process.env.JWT_SECRET_FILE ||= join(dataFolder, 'jwt-secret');
  }
  const { JWT_SECRET, JWT_PUBLIC_KEY, JWKS_URL, JWT_SECRET_FILE } = process.env;
  if (JWT_SECRET_FILE && !JWT_SECRET && !JWT_PUBLIC_KEY && !JWKS_URL) {
    process.env.JWT_SECRET = readOrCreateSecret(resolve(JWT_SECRET_FILE));
  }
}
