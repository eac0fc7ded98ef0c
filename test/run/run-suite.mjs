import { join } from 'node:path';
import { build } from '../../launch/build/build.mjs';
import { install } from '../../launch/build/install.mjs';
import { root } from '../../launch/process/root.mjs';
import { fail, handleSignals, limitShutdown, shutDown, stopWithNpm } from '../../launch/process/shutdown.mjs';
import { cleanEnvironment, makeFolder, runProgram } from './test-run.mjs';

/** Runs test/resilience/<name>/main.ts with the arguments of this process, and ends this process with its exit code. */
export async function runSuite(name, { prepare = () => undefined } = {}) {
  handleSignals();
  limitShutdown(120_000);
  stopWithNpm(`test:${name}`);
  try {
    await install();
    await prepare();
    await build();
    const folder = makeFolder();
    const suite = join(root, 'test', 'resilience', name, 'main.ts');
    const args = ['-r', '@swc-node/register', suite, ...process.argv.slice(2)];
    await shutDown(await runProgram(folder, args, cleanEnvironment(folder)));
  } catch (error) {
    await fail(error);
  }
}
