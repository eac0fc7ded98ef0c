import './check-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SERVER_PACKAGES } from './build-packages.mjs';
import { withInstallLock } from './install-lock.mjs';
import { linkLibraries } from '../postgres/postgres-binaries.cjs';
import { progress } from '../process/progress.mjs';
import { root } from '../process/root.mjs';
import { fail, handleSignals } from '../process/shutdown.mjs';

const lockFile = join(root, 'package-lock.json');
const stamp = join(root, 'node_modules', '.installed');

/** The server's packages and the command line. The packages of tests and checks are those of test/package.json. */
const SERVER_WORKSPACES = [
  '--include-workspace-root',
  ...[...SERVER_PACKAGES, 'client'].map((name) => `--workspace=packages/${name}`),
];

/**
 * Installs the packages of package-lock.json if they are not installed.
 * @param parts `all`; or `server` for those of a server and of the command line, a third of all files
 */
export async function install(parts = 'all') {
  if (isStamped(parts)) return;
  await withInstallLock(async (run) => {
    if (isStamped(parts)) return;
    let installed = 'all';
    if (existsSync(stamp) || !isComplete()) {
      installed = parts;
      // `npm ci` would remove the packages of a server that runs, and `npm install` adds those that it does not have.
      const command = isStamped('server') ? 'install' : 'ci';
      rmSync(stamp, { force: true });
      // NODE_ENV or the user's npm settings may omit packages that are needed here.
      const options = ['--include=dev', '--include=optional', '--no-audit', '--no-fund'];
      const workspaces = parts === 'all' ? [] : SERVER_WORKSPACES;
      await progress('Installing packages', () => run('npm', [command, ...options, ...workspaces]));
    }
    linkLibraries();
    writeFileSync(stamp, stampOf(installed));
  });
}

const stampOf = (parts) =>
  `${createHash('sha256').update(readFileSync(lockFile)).digest('hex')} ` +
  `${process.platform}-${process.arch} node-${process.versions.node.split('.')[0]} ${parts}\n`;

const isStamped = (parts) =>
  existsSync(stamp) && [stampOf(parts), stampOf('all')].includes(readFileSync(stamp, 'utf8'));

/** Whether the user ran `npm ci`, which removes our stamp and leaves npm's own list of installed packages. */
function isComplete() {
  const list = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(list)) return false;
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
  await install(process.argv[2]).catch(fail);
}
