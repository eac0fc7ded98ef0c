import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../process/root.mjs';

const packages = join(root, 'packages');
const stamps = join(root, 'node_modules', '.cache', 'parley-packages');

/** The packages that the server uses. The second is built on the types of the first. */
export const SERVER_PACKAGES = ['worker', 'voice'];

/** The files outside of a package that it is built from. */
const BUILT_FROM = { client: [join('..', '..', 'docs', 'openapi.json')] };

const GENERATED = join('src', 'generated');

/** The other packages are built on the types of the server's packages. */
const allPackages = () => [...new Set([...SERVER_PACKAGES, ...readdirSync(packages)])];

/** The npm packages of packages/ that are not up to date. @param names default: all */
export const selectOutdated = (names = allPackages()) =>
  names.filter((name) => existsSync(join(packages, name, 'tsconfig.build.json')) && !isUpToDate(name));

/** Builds npm packages of packages/ one after the other, as `npm pack` does. */
export async function buildPackages(run, names) {
  mkdirSync(stamps, { recursive: true });
  for (const name of names) {
    if (isUpToDate(name)) continue;
    // The hash is computed before the build: a file that changes during the build causes another build the next
    // time.
    const hash = computeHash(name);
    await run('npm', ['run', 'build', '--silent', '--workspace', join('packages', name)]);
    writeFileSync(join(stamps, name), hash);
  }
}

const isUpToDate = (name) =>
  existsSync(join(packages, name, 'dist')) &&
  existsSync(join(stamps, name)) &&
  readFileSync(join(stamps, name), 'utf8') === computeHash(name);

function computeHash(name) {
  const folder = join(packages, name);
  const sources = ['src', 'scripts']
    .map((part) => join(folder, part))
    .filter(existsSync)
    .flatMap((part) => readdirSync(part, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    // The build makes these from the API document.
    .filter((path) => !path.includes(GENERATED));
  const settings = ['package.json', 'tsconfig.build.json', ...(BUILT_FROM[name] ?? [])]
    .map((file) => join(folder, file))
    .filter(existsSync);
  const hash = createHash('sha256');
  for (const path of [...settings, ...sources.sort()]) {
    const content = readFileSync(path);
    hash.update(`${path.slice(folder.length)} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}
