import './check-node.mjs';
import { join } from 'node:path';
import { install } from './install.mjs';
import { root } from './root.mjs';
import { fail, handleSignals, shutDown, stopWithNpm } from './shutdown.mjs';
import { cleanEnvironment, makeFolder, runProgram } from './test-run.mjs';

handleSignals();
stopWithNpm('test:neighbours');
try {
  await install();
  const folder = makeFolder();
  const suite = join(root, 'test', 'neighbours', 'main.ts');
  const args = ['-r', '@swc-node/register', suite, ...process.argv.slice(2)];
  await shutDown(await runProgram(folder, args, cleanEnvironment(folder)));
} catch (error) {
  await fail(error);
}
