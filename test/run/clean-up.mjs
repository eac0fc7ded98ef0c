import { once } from 'node:events';
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { runningPostmaster } from '../../launch/postgres/embedded-postgres.cjs';
import { endsWithin, identify, isRunning, getPid } from '../../launch/process/processes.cjs';

// Runs beside a test run. When stdin closes, because the test run has ended in any way, this kills the processes that
// the run started (each has a file *.pid in the run's folder) and removes the folder.
const folder = process.argv[2];
process.stdin.resume();
await once(process.stdin, 'end');

const ending = [];
for (const path of readdirSync(folder, { recursive: true }).filter((name) => name.endsWith('.pid'))) {
  const file = join(folder, path);
  const postmaster = basename(file) === 'postmaster.pid' && runningPostmaster(dirname(file));
  const identity = postmaster ? identify(postmaster.pid) : readFileSync(file, 'utf8');
  if (!isRunning(identity)) continue;
  // After SIGKILL, Postgres would leave its shared memory allocated.
  process.kill(getPid(identity), postmaster ? 'SIGQUIT' : 'SIGKILL');
  ending.push(endsWithin(identity, 10_000));
}
await Promise.all(ending);
rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
