import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PRODUCT_FOLDER } from '../../support/product';
import { rabbitmqUrl } from '../../support/rabbitmq';

const KIT = join(__dirname, '../../../packages/conformance/dist/cli.js');
const RUNTIME = join(__dirname, 'simulated-runtime.process.cjs');

test('The simulated runtime keeps every rule of the runtime contract', async () => {
  const options = ['--url', rabbitmqUrl ?? '', '--parallel', '12', '--strict'];
  const command = [process.execPath, RUNTIME, PRODUCT_FOLDER];

  const { stdout } = await promisify(execFile)(process.execPath, [KIT, ...options, '--', ...command]);

  expect(stdout).toContain('36 passed, 0 failed, 0 warnings, 0 skipped');
});
