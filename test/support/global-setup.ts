import { join } from 'node:path';
import type { migrate as Migrate } from '../../src/platform/database/migrate';
import { asAdmin, databaseUrl } from './database';

/** Migrates one database that the tests clone, which is faster than migrating each. */
export default async function globalSetup(): Promise<void> {
  if (!process.env.TEST_DATABASE_URL) {
    throw new Error('TEST_DATABASE_URL is not set. Run the tests with: npm test');
  }
  const path = join(process.env.TEST_BUILD ?? '', 'platform', 'database', 'migrate');
  const { migrate } = (await import(path)) as { migrate: typeof Migrate };
  const template = `parley_template_${process.pid}`;
  process.env.TEST_TEMPLATE = template;
  await asAdmin(`DROP DATABASE IF EXISTS ${template}`);
  await asAdmin(`CREATE DATABASE ${template}`);
  await migrate({ DATABASE_URL: databaseUrl(template) });
}
