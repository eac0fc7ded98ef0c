import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { root } from './root.mjs';

/** Runs what changes node_modules or dist, never two at once in one project. */
export function oneAtATime(work) {
  return withLock(join(root, '.parley', 'install.lock'), work, ({ pid }) =>
    process.stderr.write(`Waiting for pid ${pid}, which installs or builds here …\n`),
  );
}
