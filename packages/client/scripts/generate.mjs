import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import openapiTypescript, { astToString } from 'openapi-typescript';
import { describeOptions } from './cli-options.mjs';
import { describeDefinitions } from './definitions.mjs';
import { folder as packageFolder, readDocument } from './document.mjs';

const folder = join(packageFolder, 'src', 'generated');

/** A file that has not changed keeps its time. */
function write(name, text) {
  const path = join(folder, name);
  if (!existsSync(path) || readFileSync(path, 'utf8') !== text) writeFileSync(path, text);
}

const document = readDocument();
mkdirSync(folder, { recursive: true });
const schema = astToString(await openapiTypescript(document, { defaultNonNullable: false }));
write('schema.ts', `// Generated from docs/openapi.json.\n\n${schema}`);
write('cli-options.ts', describeOptions(document));
write('definitions.ts', describeDefinitions(document));
