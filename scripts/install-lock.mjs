import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LaunchError } from './launch-error.cjs';
import { withLock } from './lock.mjs';
import { endsWithin, identify, isRunning, getPid } from './processes.cjs';
import { root } from './root.mjs';
import { onShutdown } from './shutdown.mjs';

const childFile = join(root, '.parley', 'install.child');

/** Runs `work`, which changes node_modules or dist, in one process of a project at a time; it gets {@link run}. */
export function withInstallLock(work) {
  const onWait = ({ pid }) =>
    process.stderr.write(`Waiting for process ${pid}, which is installing or building Parley …\n`);
  return withLock(
    join(root, '.parley', 'install.lock'),
    async () => {
      await killOrphan();
      return work(run);
    },
    onWait,
  );
}

/** The child of a killed process continues, and would write to the same folders as this process. */
async function killOrphan() {
  let identity;
  try {
    identity = readFileSync(childFile, 'utf8');
  } catch {
    return;
  }
  if (isRunning(identity)) process.kill(getPid(identity), 'SIGKILL');
  await endsWithin(identity, 5_000);
}

/** Runs a program in the project's root folder. Its output is shown only if it fails. */
async function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close').catch((error) => {
    throw new LaunchError(`${program} could not be started: ${error.message}.`);
  });
  if (child.pid) writeFileSync(childFile, identify(child.pid) ?? '');
  // npm reacts slowly to other signals, and the next run replaces an incomplete installation.
  const unregister = onShutdown(() => child.kill('SIGKILL') && closed);
  const [code, signal] = await closed;
  unregister();
  rmSync(childFile, { force: true });
  if (code === 0) return;
  const command = [basename(program), ...args].join(' ');
  throw new LaunchError(`${output.trim()}\n\n${command} failed (${signal ?? `exit code ${code}`}).`);
}
