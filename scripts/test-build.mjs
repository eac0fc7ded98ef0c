import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { hashOfSources } from './build.mjs';
import { buildConsole } from './build-console.mjs';
import { buildPackages } from './build-packages.mjs';
import { withInstallLock } from './install-lock.mjs';
import { progress } from './progress.mjs';
import { root } from './root.mjs';

const builds = join(root, 'node_modules', '.cache', 'parley');
const DAY_MS = 86_400_000;

/**
 * Compiles src/ and console/ for the tests, and returns the folder. Each state of the sources has a folder of its
 * own, so that a change of the sources during a run does not affect the run. The packages are compiled in their
 * own folders, where they are used.
 */
export async function buildForTests() {
  await buildPackages();
  const folder = join(builds, hashOfSources().slice(0, 16));
  mkdirSync(builds, { recursive: true });
  if (!existsSync(folder)) {
    await withInstallLock((run) => progress('Building', () => compile(run, folder)));
  }
  utimesSync(folder, new Date(), new Date());
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
  return folder;
}

async function compile(run, folder) {
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  const swc = join(root, 'node_modules', '@swc', 'cli', 'bin', 'swc.js');
  const options = ['--out-dir', unfinished, '--strip-leading-paths', '--ignore', '**/*.test.ts'];
  await run(process.execPath, [swc, 'src', ...options]);
  await buildConsole(run, join(unfinished, 'console'));
  // Another run may have compiled the same sources while this one waited for the lock.
  if (existsSync(folder)) rmSync(unfinished, { recursive: true });
  else renameSync(unfinished, folder);
}
