import { join } from 'node:path';
import { root } from './root.mjs';

/** Builds the console, the page that the server shows, into a folder. */
export async function buildConsole(run, folder) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  await run(process.execPath, [vite, 'build', join(root, 'console'), ...options]);
}
