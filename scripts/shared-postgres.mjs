import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startEmbeddedPostgres } from './embedded-postgres.cjs';
import { withLock } from './lock.mjs';
import { identify, isRunning } from './processes.cjs';
import { progress } from './progress.mjs';

// Room for the largest DATABASE_POOL_SIZE beside a command or two.
const settings = { max_connections: 600 };

/**
 * Uses the embedded Postgres of a data folder together with whoever else does: the first starts it, the last stops it.
 *
 * Each user is a file named after its process, written before the server is started and removed before it is
 * stopped; starting, stopping and these files are only touched under a lock. Killed at any moment, a user leaves at
 * most its file, which no longer counts, and a running server, which the next user adopts and the last one stops.
 *
 * @param keepAlive start it again, on the same port, when it dies
 */
export async function usePostgres(dataFolder, { keepAlive = false } = {}) {
  const folder = join(dataFolder, 'postgres');
  const users = join(dataFolder, 'postgres.users');
  const me = join(users, identify(process.pid));
  const exclusively = (work) => withLock(join(dataFolder, 'postgres.lock'), work);

  let postgres = await exclusively(async () => {
    mkdirSync(users, { recursive: true, mode: 0o700 });
    writeFileSync(me, '');
    return progress('Starting Postgres', () => startEmbeddedPostgres({ folder, settings }));
  });

  let released = false;
  const restart = () =>
    exclusively(async () => {
      if (released || postgres.isRunning()) return;
      console.error('Postgres has ended: starting it again.');
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
      await exclusively(async () => {
        rmSync(me, { force: true });
        const others = readdirSync(users);
        if (others.some(isRunning)) return;
        for (const dead of others) rmSync(join(users, dead));
        await postgres.stop();
      });
    },
  };
}
