import './build/check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildPackage } from './build/build.mjs';
import { install } from './build/install.mjs';
import { root } from './process/root.mjs';
import { fail, handleSignals } from './process/shutdown.mjs';

// The command line of packages/client, which is built first if it is not up to date.
handleSignals();
try {
  await install('server');
  await buildPackage('client');
  createRequire(import.meta.url)(join(root, 'packages', 'client', 'dist', 'cli', 'main.js'));
} catch (error) {
  await fail(error);
}
