import '../launch/build/check-node.mjs';
import { join } from 'node:path';
import { build } from '../launch/build/build.mjs';
import { findBrowser } from '../test/run/find-browser.mjs';
import { install } from '../launch/build/install.mjs';
import { root } from '../launch/process/root.mjs';
import { fail, handleSignals, shutDown, stopWithNpm } from '../launch/process/shutdown.mjs';
import { cleanEnvironment, makeFolder, runProgram } from '../test/run/test-run.mjs';

handleSignals();
stopWithNpm('bench');
try {
  await install();
  await build();
  // The folder is on a disk, because a commit waits for it.
  const folder = makeFolder({ onDisk: true });
  const browser = findBrowser();
  const env = {
    ...cleanEnvironment(folder),
    TEST_BUILD: join(root, 'dist'),
    ...(browser && { TEST_CHROMIUM: browser }),
  };
  const program = join(root, 'bench', 'main.ts');
  await shutDown(
    await runProgram(folder, ['-r', '@swc-node/register', program, ...process.argv.slice(2)], env),
  );
} catch (error) {
  await fail(error);
}
