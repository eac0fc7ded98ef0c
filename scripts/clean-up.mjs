import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runningPostmaster } from './embedded-postgres.cjs';
import { hasEnded, identify, isRunning, pidOf } from './processes.cjs';

// Started beside a test run: when the run lets go of our stdin, in whatever way it ends, this ends what the run has
// started (each leaves a file *.pid in the run's folder) and removes the folder.
const folder = process.argv[2];
process.stdin.resume();
await once(process.stdin, 'end');

const ending = [];
for (const path of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.pid'))) {
  const file = join(folder, path);
  const postmaster = basename(file) === 'postmaster.pid' && runningPostmaster(dirname(file));
  const identity = postmaster ? identify(postmaster.pid) : readFileSync(file, 'utf8');
  if (!isRunning(identity)) continue;
  // Postgres killed outright would leave its shared memory behind.
  process.kill(pidOf(identity), postmaster ? 'SIGQUIT' : 'SIGKILL');
  ending.push(hasEnded(identity, 10_000));
}
await Promise.all(ending);
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
