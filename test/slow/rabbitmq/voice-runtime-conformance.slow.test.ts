import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rabbitmqUrl } from '../../support/rabbitmq';

const KIT = join(__dirname, '../../../packages/conformance/dist/cli.js');
const RUNTIME = join(__dirname, '../../../packages/voice/dist/cli.js');

test('The voice runtime keeps every rule of the runtime contract', async () => {
  const options = ['--url', rabbitmqUrl ?? '', '--parallel', '12', '--strict'];
  const env = { ...process.env, VOICE_PORT: '0' };

  const command = [KIT, ...options, '--', process.execPath, RUNTIME];
  // The kit ends with 1 if a rule is broken, and then says which.
  const { stdout } = await promisify(execFile)(process.execPath, command, { env }).catch(
    (error: { stdout: string }) => error,
  );

  expect(stdout).toContain('36 passed, 0 failed, 0 warnings, 0 skipped');
});
