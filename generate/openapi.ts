import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateOpenApi } from '../src/app/generate-openapi';

/** Regenerates docs/openapi.json: `npm run generate`. */
async function main() {
  const path = join(__dirname, '../docs/openapi.json');
  writeFileSync(path, `${JSON.stringify(await generateOpenApi(), null, 2)}\n`);
}

void main();
