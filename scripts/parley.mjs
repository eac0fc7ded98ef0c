import './check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { buildPackages } from './build-packages.mjs';
import { install } from './install.mjs';
import { root } from './root.mjs';
import { fail, handleSignals } from './shutdown.mjs';

// The command line of packages/client, which is built first if it is not up to date.
handleSignals();
try {
  await install();
  await buildPackages(['client']);
  createRequire(import.meta.url)(join(root, 'packages', 'client', 'dist', 'cli', 'main.js'));
} catch (error) {
  await fail(error);
}
