import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the package. */
export const folder = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The API document is in the repository, above the package or a copy of it. */
function findDocument(from) {
  const path = join(from, 'docs', 'openapi.json');
  if (existsSync(path)) return path;
  if (dirname(from) === from) throw new Error('docs/openapi.json is not in a folder above this package');
  return findDocument(dirname(from));
}

export const readDocument = () => JSON.parse(readFileSync(findDocument(folder), 'utf8'));
