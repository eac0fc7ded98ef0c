import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './root.mjs';
import { runProgram } from './test-run.mjs';

/** Runs Jest with these arguments, and resolves with its exit code and with what {@link summary} needs. */
export async function runJest(folder, args, env) {
  const outcomeFile = join(folder, 'outcome.json');
  rmSync(outcomeFile, { force: true });
  const jest = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--reporters=default',
    `--reporters=${join(root, 'scripts', 'outcome-reporter.cjs')}`,
    // The option has one value: `--reporters` would take the paths among `args` for reporters.
    `--cacheDirectory=${join(root, 'node_modules', '.cache', 'jest')}`,
    ...args,
  ];
  const code = await runProgram(folder, jest, { ...env, PARLEY_TEST_OUTCOME: outcomeFile });
  return { code, ...(existsSync(outcomeFile) && JSON.parse(readFileSync(outcomeFile, 'utf8'))) };
}

/** As many failed files are no coincidence. */
const MANY_FILES = 4;

/**
 * Runs the failed files once more, one after the other, unless they are many. The failures of a file that passes then
 * are `flaky` in the outcome that this resolves with.
 */
export async function repeatFailed(folder, first, env, options = []) {
  const { complete, failures = [] } = first;
  const files = [...new Set(failures.map(({ file }) => file))];
  if (!complete || files.length === 0 || files.length >= MANY_FILES) return first;
  const projects = [...new Set(failures.flatMap(({ project }) => project ?? []))];
  const selection = projects.length > 0 ? ['--selectProjects', ...projects] : [];
  const second = await runJest(folder, [...options, ...selection, '--maxWorkers=1', ...files], env);
  const failAgain = ({ file }) =>
    !second.complete || second.failures.some((failure) => failure.file === file);
  const flaky = failures.filter((failure) => !failAgain(failure));
  return {
    ...first,
    code: flaky.length === failures.length ? second.code : first.code,
    passed: first.passed + flaky.length,
    failed: first.failed - flaky.length,
    failures: failures.filter(failAgain),
    flaky,
  };
}

const describeFailure = ({ project, file, title }) => `${file} › ${title}${project ? ` (${project})` : ''}`;

/**
 * The failures, one line each, and 'N passed, N failed'. A test file that could not run and a Jest that could not
 * run are failures.
 */
export function summary({
  code,
  complete = false,
  passed = 0,
  failed = 0,
  skipped = 0,
  failures = [],
  flaky = [],
}) {
  const lines = [
    ...failures.map((failure) => `FAILED ${describeFailure(failure)}`),
    ...flaky.map((failure) => `FLAKY ${describeFailure(failure)}`),
  ];
  const cutShort = code !== 0 && (!complete || failed === 0);
  if (cutShort) lines.push(`FAILED Jest itself (exit code ${code})`);
  const count = `${passed} passed, ${failed + (cutShort ? 1 : 0)} failed`;
  return [...lines, skipped ? `${count}, ${skipped} skipped` : count].join('\n');
}
