import { readFileSync } from 'node:fs';
import core from '@stoplight/spectral-core';
import parsers from '@stoplight/spectral-parsers';
import rulesets from '@stoplight/spectral-rulesets';

// Spectral's own command would bring a hundred more packages (docs/decisions/0003-packages.md).
const files = process.argv.slice(2);
if (files.length === 0) {
  console.error('Usage: node generate/spectral.mjs FILE...');
  process.exit(2);
}

const spectral = new core.Spectral();
spectral.setRuleset({ extends: [rulesets.oas, rulesets.asyncapi] });

for (const file of files) {
  const document = new core.Document(readFileSync(file, 'utf8'), parsers.Yaml, file);
  for (const { range, code, message, path } of await spectral.run(document)) {
    console.error(`${file}:${range.start.line + 1} ${code}: ${message} (${path.join('.')})`);
    process.exitCode = 1;
  }
}
