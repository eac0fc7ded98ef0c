import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { rabbitmqUrl } from '../../support/rabbitmq';

const KIT = join(__dirname, '../../../packages/conformance/dist/cli.js');
const RUNTIME = join(__dirname, '../../../packages/voice/test/support/carrier-runtime.ts');
/** Scenarios wait most of the time. Each has a process of its own. */
const AT_ONCE = '8';
const RULES = 32;

/** The program, compiled where it finds the packages that it needs. */
const program = join(__dirname, `../../../node_modules/.cache/carrier-runtime-${process.pid}.cjs`);

// Eight processes that compile it at once need more than the 15 s in which the kit expects a runtime.
beforeAll(async () => {
  const bundle = await rolldown({ input: RUNTIME, platform: 'node', external: (id) => /^[^./]/.test(id) });
  await bundle.write({ file: program, format: 'cjs' });
  await bundle.close();
});
afterAll(() => rm(program, { force: true }));

test.each(['twilio', 'telnyx', 'asterisk', 'twilio that speaks'])(
  'The voice runtime with %s keeps all rules of the runtime contract',
  async (name) => {
    const options = ['--url', rabbitmqUrl ?? '', '--parallel', AT_ONCE, '--strict'];
    const command = [KIT, ...options, '--', process.execPath, program, name];
    // The kit ends with 1 if a rule is broken, and then says which.
    const { stdout, stderr } = await promisify(execFile)(process.execPath, command).catch(
      (error: { stdout: string; stderr: string }) => error,
    );

    expect(`${stdout}${stderr}`).toContain(`${RULES} passed, 0 failed, 0 warnings, 4 skipped`);
  },
);
