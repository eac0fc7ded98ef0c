import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

// Compiles the product, as it runs in production. Imported before test/support/product.ts, which reads the variable.
const script = `import { buildForTests } from './test/run/test-build.mjs'; console.log(await buildForTests())`;
const output = execFileSync(process.execPath, ['--input-type=module', '-e', script, __filename], {
  cwd: join(__dirname, '..'),
  encoding: 'utf8',
});
process.env.TEST_BUILD = output.trim().split('\n').at(-1);
