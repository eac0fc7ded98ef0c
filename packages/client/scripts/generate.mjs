import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { describeOptions } from './cli-options.mjs';

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', 'src', 'generated');

/** The API document is in the repository, above the package or a copy of it. */
function findDocument(from) {
  const path = join(from, 'docs', 'openapi.json');
  if (existsSync(path)) return path;
  if (dirname(from) === from) throw new Error('docs/openapi.json is not in a folder above this package');
  return findDocument(dirname(from));
}

/** A file that has not changed keeps its time. */
function write(name, text) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

const document = JSON.parse(readFileSync(findDocument(folder), 'utf8'));
mkdirSync(folder, { recursive: true });
const schema = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
write('schema.ts', `// Generated from docs/openapi.json.\n\n${schema}`);
write('cli-options.ts', describeOptions(document));
