import type {} from './browser';
import { asAdmin, templateName } from './database';
import type { TestParley } from './parley';

/** Ends what test files share, if these ran in this process, and drops the template. */
export default async function globalTeardown(): Promise<void> {
  const servers: Iterable<TestParley> = globalThis.SHARED_SERVERS?.values() ?? [];
  for (const server of servers) await server.stop();
  await globalThis.SHARED_BROWSER?.close();
  await asAdmin(`DROP DATABASE IF EXISTS ${templateName()}`);
}
