import { randomBytes } from 'node:crypto';
import { Client } from 'pg';
import { until } from './until';

/** The template database of this test run. The global setup names it, and the workers inherit the environment. */
export const templateName = () => process.env.TEST_TEMPLATE ?? '';

export function databaseUrl(name: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

async function withAdmin(work: (client: Client) => Promise<unknown>): Promise<void> {
  const client = new Client(databaseUrl('postgres'));
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

export const asAdmin = (statement: string): Promise<void> => withAdmin((client) => client.query(statement));

const CLOSING_MS = 1_000;

/** A connection that was closed just now would get an error from the drop, which fails the test that closed it. */
const drop = (name: string): Promise<void> =>
  withAdmin(async (client) => {
    const isUnused = async () =>
      (await client.query('SELECT FROM pg_stat_activity WHERE datname = $1', [name])).rowCount === 0;
    await until(isUnused, CLOSING_MS).catch(() => undefined);
    await client.query(`DROP DATABASE ${name} WITH (FORCE)`);
  });

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database, which is migrated unless `empty`. Only an empty one may have another locale than the server. */
export async function createDatabase({ empty = false, locale = '' } = {}): Promise<TestDatabase> {
  const name = `parley_test_${randomBytes(8).toString('hex')}`;
  const template = empty ? 'template0' : templateName();
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} ${locale && `LOCALE '${locale}'`}`);
  return { url: databaseUrl(name), drop: () => drop(name) };
}
