import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { root } from '../process/root.mjs';

/** Builds the console, the page that the server shows, into a folder. */
export async function buildConsole(run, folder) {
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js');
  const options = ['--outDir', folder, '--emptyOutDir', '--logLevel', 'warn'];
  await run(process.execPath, [vite, 'build', join(root, 'console'), ...options]);
  compressFiles(join(folder, 'assets'));
}

/** Compresses each file for the browsers that accept it. */
function compressFiles(folder) {
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const content = readFileSync(path);
    writeFileSync(`${path}.br`, brotliCompressSync(content));
    writeFileSync(`${path}.gz`, gzipSync(content, { level: 9 }));
  }
}
