import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { compileSources, hashOfSources } from '../../launch/build/build.mjs';
import { buildPackages, selectOutdated } from '../../launch/build/build-packages.mjs';
import { withInstallLock } from '../../launch/build/install-lock.mjs';
import { progress } from '../../launch/process/progress.mjs';
import { root } from '../../launch/process/root.mjs';

const builds = join(root, 'node_modules', '.cache', 'parley');
const DAY_MS = 86_400_000;

/**
 * Compiles src/ and console/ for the tests, and returns the folder. Each state of the sources has a folder of its
 * own, so that a change of the sources during a run does not affect the run. The packages are compiled in their
 * own folders, where they are used.
 */
export async function buildForTests() {
  const packages = selectOutdated();
  const folder = join(builds, hashOfSources().slice(0, 16));
  mkdirSync(builds, { recursive: true });
  if (packages.length > 0 || !existsSync(folder)) {
    await withInstallLock((run) =>
      progress('Building', () => Promise.all([buildPackages(run, packages), compile(run, folder)])),
    );
  }
  utimesSync(folder, new Date(), new Date());
  for (const name of readdirSync(builds)) {
    const path = join(builds, name);
    if (Date.now() - statSync(path).mtimeMs > DAY_MS) rmSync(path, { recursive: true, force: true });
  }
  return folder;
}

async function compile(run, folder) {
  // Another run may have compiled the same sources while this one waited for the lock.
  if (existsSync(folder)) return;
  const unfinished = `${folder}.unfinished`;
  rmSync(unfinished, { recursive: true, force: true });
  await compileSources(run, unfinished);
  renameSync(unfinished, folder);
}
