import './build/check-node.mjs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from './build/build.mjs';
import { loadEnvironment, provideServices } from './server/environment.mjs';
import { install } from './build/install.mjs';
import { root } from './process/root.mjs';
import serverAddress from './server/server-address.cjs';
import { fail, handleSignals, shutDown } from './process/shutdown.mjs';

handleSignals();
try {
  const environment = loadEnvironment();
  serverAddress.usePublicUrl(environment.dataFolder, process.env);
  await install('server');
  await build();
  const args = process.argv.slice(2);
  const operator = createRequire(import.meta.url)(join(root, 'dist', 'tools', 'operator', 'operator.js'));
  if (!operator.isHelpRequest(args)) await provideServices(environment);
  await shutDown(await operator.operate(args));
} catch (error) {
  await fail(error);
}
