import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.cjs';
import { withLock } from '../process/lock.mjs';
import { identify, isRunning } from '../process/processes.cjs';
import { progress } from '../process/progress.mjs';

// The number is enough for the maximum DATABASE_POOL_SIZE and for a few operator commands.
const settings = { max_connections: 600 };

/**
 * Uses the embedded Postgres of a data folder, which several processes can share: the first one starts it, the last one
 * stops it. Each process has a file with its identity, written and removed under a lock. A killed process leaves its
 * file, which is ignored, and a running Postgres, which the next process adopts.
 *
 * @param keepAlive restart Postgres on the same port if it ends
 */
export async function usePostgres(dataFolder, { keepAlive = false } = {}) {
  const folder = join(dataFolder, 'postgres');
  const users = join(dataFolder, 'postgres.users');
  const ownFile = join(users, identify(process.pid));
  const locked = (work) => withLock(join(dataFolder, 'postgres.lock'), work);

  let postgres = await locked(async () => {
    mkdirSync(users, { recursive: true, mode: 0o700 });
    writeFileSync(ownFile, '');
    return progress('Starting Postgres', () => startEmbeddedPostgres({ folder, settings }));
  });

  let released = false;
  const restart = () =>
    locked(async () => {
      if (released || postgres.isRunning()) return;
      console.error('Postgres stopped unexpectedly. Restarting it.');
      postgres = await startEmbeddedPostgres({ folder, settings, port: postgres.port });
    });
  const watch =
    keepAlive &&
    setInterval(() => {
      if (!postgres.isRunning()) restart().catch((error) => console.error(error.message));
    }, 500).unref();

  return {
    url: postgres.url,
    async release() {
      released = true;
      if (watch) clearInterval(watch);
      await locked(async () => {
        rmSync(ownFile, { force: true });
        const others = readdirSync(users);
        if (others.some(isRunning)) return;
        for (const dead of others) rmSync(join(users, dead));
        await postgres.stop();
      });
    },
  };
}
