import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LaunchError } from './launch-error.cjs';
import { withLock } from './lock.mjs';
import { hasEnded, identify, isRunning, pidOf } from './processes.cjs';
import { root } from './root.mjs';
import { onShutdown } from './shutdown.mjs';

const childFile = join(root, '.parley', 'install.child');

/** Runs what changes node_modules or dist, never two at once in one project; `work` gets {@link run}. */
export function oneAtATime(work) {
  const tell = ({ pid }) => process.stderr.write(`Waiting for pid ${pid}, which installs or builds here …\n`);
  return withLock(
    join(root, '.parley', 'install.lock'),
    async () => {
      await endOrphan();
      return work(run);
    },
    tell,
  );
}

/** What a killed process had started goes on without it, and would write where we are about to. */
async function endOrphan() {
  let identity;
  try {
    identity = readFileSync(childFile, 'utf8');
  } catch {
    return;
  }
  if (isRunning(identity)) process.kill(pidOf(identity), 'SIGKILL');
  await hasEnded(identity, 5_000);
}

/** Runs a program in the project's root, quietly; what it said is told when it fails. */
async function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (said += chunk));
  const closed = once(child, 'close').catch((error) => {
    throw new LaunchError(`${program} could not be run: ${error.message}.`);
  });
  if (child.pid) writeFileSync(childFile, identify(child.pid) ?? '');
  // npm takes its time over anything milder, and whatever it leaves is replaced the next time.
  const forget = onShutdown(() => child.kill('SIGKILL') && closed);
  const [code, signal] = await closed;
  forget();
  rmSync(childFile, { force: true });
  if (code === 0) return;
  const command = [basename(program), ...args].join(' ');
  throw new LaunchError(`${said.trim()}\n\n${command} failed (${signal ?? `exit code ${code}`}).`);
}
