import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rabbitmqUrl } from '../support/rabbitmq';

const KIT = join(__dirname, '../../packages/conformance/dist/cli.js');
const RUNTIME = join(__dirname, '../../packages/voice/test/support/carrier-runtime.ts');
/** The rules that depend on how calls are placed, taken and ended. The others are kept by the worker package. */
const SCENARIOS = [
  ...['events.in-order', 'ended.reason-is-known', 'failed.when-not-answered', 'hangup.obeyed'],
  ...['incoming.asks-first', 'incoming.refused-is-not-answered', 'incoming.same-id-on-silence'],
];

test.each(['twilio', 'telnyx', 'asterisk'])(
  'The voice runtime with %s keeps the rules of the runtime contract about calls',
  async (name) => {
    const scenarios = SCENARIOS.flatMap((id) => ['--scenario', id]);
    const options = ['--url', rabbitmqUrl ?? '', '--parallel', '8', '--strict', ...scenarios];
    const command = [KIT, ...options, '--', process.execPath, '-r', '@swc-node/register', RUNTIME, name];
    // The kit ends with 1 if a rule is broken, and then says which.
    const env = { ...process.env, TS_NODE_PROJECT: 'tsconfig.build.json' };
    const { stdout } = await promisify(execFile)(process.execPath, command, { env }).catch(
      (error: { stdout: string }) => error,
    );

    expect(stdout).toContain(`${SCENARIOS.length} passed, 0 failed, 0 warnings, 0 skipped`);
  },
);
