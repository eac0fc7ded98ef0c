import './check-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { withInstallLock } from './install-lock.mjs';
import { linkLibraries } from './postgres-binaries.cjs';
import { progress } from './progress.mjs';
import { root } from './root.mjs';
import { fail, handleSignals } from './shutdown.mjs';

const lockFile = join(root, 'package-lock.json');
const stamp = join(root, 'node_modules', '.installed');

/** Installs the packages of package-lock.json if they are not installed. */
export async function install() {
  if (isStamped()) return;
  await withInstallLock(async (run) => {
    if (isStamped()) return;
    if (!isComplete()) {
      rmSync(stamp, { force: true });
      // NODE_ENV or the user's npm settings may omit packages that are needed here.
      const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
      await progress('Installing packages', () => run('npm', ['ci', ...options]));
    }
    linkLibraries();
    writeFileSync(stamp, currentStamp());
  });
}

const currentStamp = () =>
  `${createHash('sha256').update(readFileSync(lockFile)).digest('hex')} ` +
  `${process.platform}-${process.arch} node-${process.versions.node.split('.')[0]}\n`;

const isStamped = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === currentStamp();

/** Whether the user ran `npm ci`, which removes our stamp and leaves npm's own list of installed packages. */
function isComplete() {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (existsSync(stamp) || !existsSync(list)) return false;
  const installed = JSON.parse(readFileSync(list, 'utf8')).packages;
  return Object.entries(JSON.parse(readFileSync(lockFile, 'utf8')).packages).every(
    ([path, { version, integrity, optional }]) =>
      path === '' ||
      (installed[path]
        ? installed[path].version === version && installed[path].integrity === integrity
        : optional),
  );
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  handleSignals();
  await install().catch(fail);
}
