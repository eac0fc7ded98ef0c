import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** The template database of this test run. The global setup names it, and the workers inherit the environment. */
export const templateName = () => process.env.TEST_TEMPLATE ?? '';

export function databaseUrl(name: string): string {
  const url = new URL(process.env.TEST_DATABASE_URL ?? '');
  url.pathname = `/${name}`;
  return url.href;
}

export async function asAdmin(statement: string): Promise<void> {
  const client = new Client(databaseUrl('postgres'));
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

/** Creates a database, which is migrated unless `empty`. Only an empty one may have another locale than the server. */
export async function createDatabase({ empty = false, locale = '' } = {}): Promise<TestDatabase> {
  const name = `parley_test_${randomBytes(8).toString('hex')}`;
  const template = empty ? 'template0' : templateName();
  await asAdmin(`CREATE DATABASE ${name} TEMPLATE ${template} ${locale && `LOCALE '${locale}'`}`);
  return { url: databaseUrl(name), drop: () => asAdmin(`DROP DATABASE ${name} WITH (FORCE)`) };
}
