import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { LaunchError } from '../process/launch-error.cjs';
import { withLock } from '../process/lock.mjs';
import { endsWithin, identify, isRunning, getPid } from '../process/processes.cjs';
import { root } from '../process/root.mjs';
import { onShutdown } from '../process/shutdown.mjs';

const childrenFile = join(root, '.parley', 'install.children');
/** The identities of the running children. */
const children = new Set();

/** Runs `work`, which changes node_modules or dist, in one process of a project at a time; it gets {@link run}. */
export function withInstallLock(work) {
  const onWait = ({ pid }) =>
    process.stderr.write(`Waiting for process ${pid}, which is installing or building Parley …\n`);
  return withLock(
    join(root, '.parley', 'install.lock'),
    async () => {
      await killOrphans();
      return work(run);
    },
    onWait,
  );
}

/** The children of a killed process continue, and would write to the same folders as this process. */
async function killOrphans() {
  let identities;
  try {
    identities = readFileSync(childrenFile, 'utf8').split('\n').filter(Boolean);
  } catch {
    return;
  }
  for (const identity of identities) {
    if (isRunning(identity)) process.kill(getPid(identity), 'SIGKILL');
    await endsWithin(identity, 5_000);
  }
}

/** Runs a program in the project's root folder. Its output is shown only if it fails. */
async function run(program, args) {
  const child = spawn(program, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (output += chunk));
  const closed = once(child, 'close').catch((error) => {
    throw new LaunchError(`${program} could not be started: ${error.message}.`);
  });
  const identity = child.pid && identify(child.pid);
  if (identity) children.add(identity);
  writeChildren();
  // npm reacts slowly to other signals, and the next run replaces an incomplete installation.
  const unregister = onShutdown(() => child.kill('SIGKILL') && closed);
  const [code, signal] = await closed;
  unregister();
  children.delete(identity);
  writeChildren();
  if (code === 0) return;
  const command = [basename(program), ...args].join(' ');
  throw new LaunchError(`${output.trim()}\n\n${command} failed (${signal ?? `exit code ${code}`}).`);
}

function writeChildren() {
  if (children.size === 0) rmSync(childrenFile, { force: true });
  else writeFileSync(childrenFile, [...children].join('\n'));
}
