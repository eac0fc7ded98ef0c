import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const RUNNER = join(__dirname, '..', '..', 'test', 'run', 'jest-run.mjs');
const SCRIPT = `
  const [runner, folder, repeat, config, ...args] = process.argv.slice(1);
  const { repeatFailed, runJest, summary } = await import(runner);
  let outcome = await runJest(folder, [config, ...args], process.env);
  if (repeat === 'repeat') outcome = await repeatFailed(folder, outcome, process.env, [config]);
  console.log(summary(outcome));
`;

const FILES = {
  'passing.case.cjs': `
    test('passes', () => {});
    test.skip('is skipped', () => {});
  `,
  'circular.case.cjs': `
    test('passes', () => {});
    test('fails with a circular error', () => {
      const error = new Error('circular');
      error.self = { error };
      throw error;
    });
    test('throws a circular object', () => {
      const thrown = {};
      thrown.self = thrown;
      throw thrown;
    });
    test('compares a circular object', () => {
      const value = {};
      value.self = value;
      expect(value).toEqual({});
    });
  `,
  'bigint.case.cjs': `
    test('compares a bigint', () => expect({ amount: 1n }).toEqual({ amount: 2n }));
  `,
  'function.case.cjs': `
    test('fails with an error that cannot be cloned', () => {
      throw Object.assign(new Error('cause'), { retry: () => undefined, kind: Symbol('kind') });
    });
  `,
  'getter.case.cjs': `
    test('fails with an error that cannot be read', () => {
      throw Object.defineProperty(new Error('cause'), 'body', {
        enumerable: true,
        get: () => { throw new Error('The body is gone.'); },
      });
    });
  `,
  'killed.case.cjs': `
    test('kills its process', () => process.kill(process.pid, 'SIGKILL'));
  `,
  'invalid.case.cjs': 'const =',
};

/** Fails when it runs first, and passes when it runs again. */
const FLAKY = `
  const { mkdirSync, existsSync } = require('fs');
  const ranBefore = existsSync(__filename + '.ran');
  mkdirSync(__filename + '.ran', { recursive: true });
  test('passes', () => {});
  test('fails once', () => expect(ranBefore).toBe(true));
`;

/** Fails before its tests when it runs first. */
const FLAKY_FILE = `
  const { mkdirSync, existsSync } = require('fs');
  const ranBefore = existsSync(__filename + '.ran');
  mkdirSync(__filename + '.ran', { recursive: true });
  if (!ranBefore) throw new Error('not yet');
  test('passes', () => {});
  test('passes too', () => {});
`;

/** Fails when it runs first, and skips the test when it runs again. */
const SKIPPING = FLAKY.replace("test('fails once'", "(ranBefore ? test.skip : test)('fails once'");

describe('The summary of a test run', () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-outcome-'));
    const tests = join(folder, 'tests');
    await mkdir(tests);
    for (const [name, source] of Object.entries(FILES)) await writeFile(join(tests, name), source);
    for (const name of ['flaky-1', 'flaky-2', 'flaky-3', 'flaky-4'])
      await writeFile(join(tests, `${name}.case.cjs`), FLAKY);
    await writeFile(join(tests, 'flaky-file.case.cjs'), FLAKY_FILE);
    await writeFile(join(tests, 'skipping.case.cjs'), SKIPPING);
    await writeFile(
      join(tests, 'end.cjs'),
      `module.exports = () => { throw new Error('The end has failed.'); };`,
    );
    const config = { rootDir: tests, testMatch: ['<rootDir>/*.case.cjs'], transform: {}, maxWorkers: 2 };
    await writeFile(join(folder, 'jest.config.json'), JSON.stringify(config));
  });

  afterEach(() => rm(folder, { recursive: true, force: true }));

  const run = (...args: string[]) => start('once', args);
  const runInGate = (...args: string[]) => start('repeat', args);

  async function start(repeat: string, args: string[]): Promise<string[]> {
    const config = `--config=${join(folder, 'jest.config.json')}`;
    const program = ['--input-type=module', '-e', SCRIPT, RUNNER, folder, repeat, config, ...args];
    const { stdout } = await promisify(execFile)(process.execPath, program);
    return stdout.trim().split('\n');
  }

  test('names and counts every failure, also with an unusual error', async () => {
    const lines = await run('--testPathIgnorePatterns', 'flaky', 'skipping');

    expect(lines.pop()).toBe('2 passed, 8 failed, 1 skipped');
    expect(lines.sort()).toEqual([
      'FAILED bigint.case.cjs › compares a bigint',
      'FAILED circular.case.cjs › compares a circular object',
      'FAILED circular.case.cjs › fails with a circular error',
      'FAILED circular.case.cjs › throws a circular object',
      'FAILED function.case.cjs › fails with an error that cannot be cloned',
      'FAILED getter.case.cjs › fails with an error that cannot be read: The body is gone.',
      expect.stringMatching(/^FAILED invalid\.case\.cjs › the file: Unexpected token/),
      expect.stringMatching(
        /^FAILED killed\.case\.cjs › kills its process: A jest worker process .* terminated/,
      ),
    ]);
  });

  test('names failures that do not come again in the gate, and counts them as passed', async () => {
    expect(await run('flaky-1')).toEqual(['FAILED flaky-1.case.cjs › fails once', '1 passed, 1 failed']);
    const lines = await runInGate('flaky-[23]');
    expect(lines.pop()).toBe('4 passed, 0 failed');
    // In the order in which the workers have ended.
    expect(lines.sort()).toEqual([
      'FLAKY flaky-2.case.cjs › fails once',
      'FLAKY flaky-3.case.cjs › fails once',
    ]);
  });

  test('keeps failures that come again in the gate', async () => {
    expect(await runInGate('bigint', 'flaky-1')).toEqual([
      'FAILED bigint.case.cjs › compares a bigint',
      'FLAKY flaky-1.case.cjs › fails once',
      '2 passed, 1 failed',
    ]);
  });

  test('counts the tests of a file that could not run, when it has run in the gate', async () => {
    expect(await runInGate('flaky-file', 'passing')).toEqual([
      'FLAKY flaky-file.case.cjs › the file: not yet',
      '3 passed, 0 failed, 1 skipped',
    ]);
  });

  test('has a failure outside the tests, also in the gate and beside tests that fail once', async () => {
    const end = `--globalTeardown=${join(folder, 'tests', 'end.cjs')}`;
    expect(await runInGate(end, 'passing')).toEqual([
      'FAILED Jest itself (exit code 1)',
      '1 passed, 1 failed, 1 skipped',
    ]);
    expect(await runInGate(end, 'flaky-1')).toEqual([
      'FAILED flaky-1.case.cjs › fails once',
      'FAILED Jest itself (exit code 1)',
      '1 passed, 2 failed',
    ]);
  });

  test('keeps a failure of a test that is skipped when it is repeated', async () => {
    expect(await runInGate('skipping')).toEqual([
      'FAILED skipping.case.cjs › fails once',
      '1 passed, 1 failed',
    ]);
  });

  test('repeats no failures of four files or more', async () => {
    const lines = await runInGate('flaky-[1-4]');

    expect(lines.pop()).toBe('4 passed, 4 failed');
    expect(lines).toHaveLength(4);
    for (const line of lines) expect(line).toMatch(/^FAILED flaky-\d\.case\.cjs › fails once$/);
  });

  test('counts a run without failures', async () => {
    expect(await run('passing')).toEqual(['1 passed, 0 failed, 1 skipped']);
  });

  test('counts a failure if Jest was killed before it reported', async () => {
    expect(await run('--runInBand', 'killed')).toEqual([
      'FAILED Jest itself (exit code 1)',
      '0 passed, 1 failed',
    ]);
  });

  test('counts a failure if no test was found', async () => {
    expect((await run('no-such-file')).slice(-2)).toEqual([
      'FAILED Jest itself (exit code 1)',
      '0 passed, 1 failed',
    ]);
  });
});
