import { existsSync, realpathSync } from 'node:fs';
import { dirname, extname, join, resolve, sep } from 'node:path';

/** The suites that run the TypeScript sources compile them in the process, with a native module and files of its own. */
const COMPILES = extname(__filename) === '.ts';

/** The option has another name in old versions. Needed before Node.js 22.13: `--experimental-permission`. */
const NAMES = ['--permission', '--experimental-permission'];

/** Leaves out what is in another folder of the list: Node.js 20.19 would then refuse that one. */
const outermost = (paths: string[]) =>
  paths.filter((path) => !paths.some((folder) => folder !== path && path.startsWith(folder)));

/** The code, the packages that it requires, and the files that describe them. */
function codePaths(): string[] {
  const packages = module.paths.filter((path) => existsSync(path)).map((path) => realpathSync(path));
  const folders = [join(__dirname, '..', '..'), ...packages].map((path) => `${path}${sep}`);
  return [...folders, ...packages.map((path) => join(dirname(path), 'package.json'))];
}

/**
 * Options of Node.js with which a process reads the product's code and these folders only. It writes no file and starts
 * no process. It may start the thread that guards it; see `guardChild`.
 */
export function childPermissions(folders: string[] = []): string[] {
  const name = NAMES.find((option) => process.allowedNodeEnvironmentFlags.has(option));
  if (!name || COMPILES) return [];
  const readable = outermost([...codePaths(), ...folders.map((path) => `${resolve(path)}${sep}`)]);
  return [name, '--allow-worker', ...readable.map((path) => `--allow-fs-read=${path}`)];
}
