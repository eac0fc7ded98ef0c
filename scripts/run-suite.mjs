import { join } from 'node:path';
import { build } from './build.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';
import { fail, handleSignals, limitShutdown, shutDown, stopWithNpm } from './shutdown.mjs';
import { cleanEnvironment, makeFolder, runProgram } from './test-run.mjs';

/** Runs test/<name>/main.ts with the arguments of this process, and ends this process with its exit code. */
export async function runSuite(name, { prepare = () => undefined } = {}) {
  handleSignals();
  limitShutdown(120_000);
  stopWithNpm(`test:${name}`);
  try {
    await install();
    await prepare();
    await build();
    const folder = makeFolder();
    const suite = join(root, 'test', name, 'main.ts');
    const args = ['-r', '@swc-node/register', suite, ...process.argv.slice(2)];
    await shutDown(await runProgram(folder, args, cleanEnvironment(folder)));
  } catch (error) {
    await fail(error);
  }
}
