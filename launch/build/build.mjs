import './check-node.mjs';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildConsole } from './build-console.mjs';
import { buildPackages, selectOutdated, SERVER_PACKAGES } from './build-packages.mjs';
import { install } from './install.mjs';
import { withInstallLock } from './install-lock.mjs';
import { progress } from '../process/progress.mjs';
import { root } from '../process/root.mjs';
import { fail, handleSignals } from '../process/shutdown.mjs';

const stamp = join(root, 'dist', '.built');
const API_DOCUMENT = 'docs/openapi.json';
const settings = [
  API_DOCUMENT,
  ...['.swcrc', 'tsconfig.json', 'tsconfig.build.json', 'package-lock.json'],
  ...['launch/build/build-console.mjs', 'launch/build/compile.mjs'],
];

/** Builds dist/ and the server's packages if they are not up to date. A Docker image has no src/ and needs no build. */
export async function build() {
  if (!existsSync(join(root, 'src'))) return;
  const packages = selectOutdated(SERVER_PACKAGES);
  if (packages.length === 0 && isUpToDate()) return;
  await withInstallLock((run) =>
    progress('Building', () => Promise.all([buildPackages(run, packages), buildServer(run)])),
  );
}

/** Builds one package of packages/ if it is not up to date. */
export async function buildPackage(name) {
  if (selectOutdated([name]).length === 0) return;
  await withInstallLock((run) => progress(`Building packages/${name}`, () => buildPackages(run, [name])));
}

async function buildServer(run) {
  if (isUpToDate()) return;
  rmSync(stamp, { force: true });
  // The hash is computed before the build: a file that changes during the build causes another build the next time.
  const hash = hashOfSources();
  const dist = join(root, 'dist');
  rmSync(dist, { recursive: true, force: true });
  await compileSources(run, dist);
  writeFileSync(stamp, hash);
}

/** Compiles src/ and console/ into a folder, and puts the document of the API there. */
export async function compileSources(run, folder) {
  await Promise.all([
    run(process.execPath, [join(root, 'launch', 'build', 'compile.mjs'), folder]),
    buildConsole(run, join(folder, 'console')),
  ]);
  const document = readFileSync(join(root, API_DOCUMENT), 'utf8');
  writeFileSync(join(folder, 'openapi.json'), JSON.stringify(JSON.parse(document)));
}

const isUpToDate = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === hashOfSources();

export function hashOfSources() {
  // The console uses the errors of the client library; its generated files have types only.
  const sources = ['src', 'console', 'packages/client/src']
    .flatMap((folder) => readdirSync(join(root, folder), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .filter((path) => !path.includes(join('client', 'src', 'generated')))
    .sort();
  const hash = createHash('sha256');
  for (const path of [...settings.map((name) => join(root, name)).filter(existsSync), ...sources]) {
    const content = readFileSync(path);
    hash.update(`${path.slice(root.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

if (realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  handleSignals();
  await install('server').then(build).catch(fail);
}
