import { asAdmin, templateName } from './database';
import type { TestParley } from './parley';

/** Stops the servers that test files share, if these ran in this process, and drops the template. */
export default async function globalTeardown(): Promise<void> {
  const servers: Iterable<TestParley> = globalThis.SHARED_SERVERS?.values() ?? [];
  for (const server of servers) await server.stop();
  await asAdmin(`DROP DATABASE IF EXISTS ${templateName()}`);
}
