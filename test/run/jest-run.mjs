import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../launch/process/root.mjs';
import { runProgram } from './test-run.mjs';

/** The exit code of a Jest that ran to its end, and in which tests have failed. Any other failure has another code. */
const TESTS_FAILED = 2;

/** Runs Jest with these arguments, and resolves with its exit code and with what {@link summary} needs. */
export async function runJest(folder, args, env) {
  const outcomeFile = join(folder, 'outcome.json');
  rmSync(outcomeFile, { force: true });
  const jest = [
    join(root, 'node_modules', 'jest', 'bin', 'jest.js'),
    '--reporters=default',
    `--reporters=${join(root, 'test', 'run', 'outcome-reporter.cjs')}`,
    // The option has one value: `--reporters` would take the paths among `args` for reporters.
    `--cacheDirectory=${join(root, 'node_modules', '.cache', 'jest')}`,
    `--testFailureExitCode=${TESTS_FAILED}`,
    ...args,
  ];
  const code = await runProgram(folder, jest, { ...env, PARLEY_TEST_OUTCOME: outcomeFile });
  return { code, ...(existsSync(outcomeFile) && JSON.parse(readFileSync(outcomeFile, 'utf8'))) };
}

/** As many failed files are no coincidence. */
const MANY_FILES = 4;

/**
 * Runs the failed files once more, one after the other, unless they are many or something else has failed. The failures of
 * a file that passes then are `flaky` in the outcome that this resolves with.
 */
export async function repeatFailed(folder, first, env, options = []) {
  const { code, complete, files = [] } = first;
  const failed = files.filter(({ failures }) => failures.length > 0);
  const names = [...new Set(failed.map(({ file }) => file))];
  if (code !== TESTS_FAILED || !complete || names.length >= MANY_FILES) return first;
  const projects = [...new Set(failed.flatMap(({ project }) => project ?? []))];
  const selection = projects.length > 0 ? ['--selectProjects', ...projects] : [];
  const second = await runJest(folder, [...options, ...selection, '--maxWorkers=1', ...names], env);
  const again = ({ project, file }) =>
    second.files?.find((other) => other.file === file && other.project === project);
  // A test that is skipped the second time has neither failed nor passed.
  const isSettled = (place) => again(place)?.failures.length > 0 || again(place)?.passed > place.passed;
  if (!second.complete || !failed.every(isSettled)) return first;
  return {
    ...second,
    files: files.map((place) => again(place) ?? place),
    flaky: toFailures(failed.filter((place) => again(place).failures.length === 0)),
  };
}

const toFailures = (files) =>
  files.flatMap(({ project, file, failures }) => failures.map((title) => ({ project, file, title })));

const describeFailure = ({ project, file, title }) => `${file} › ${title}${project ? ` (${project})` : ''}`;

/**
 * The failures, one line each, and 'N passed, N failed'. A test file that could not run and a Jest that could not
 * run are failures.
 */
export function summary({ code, complete = false, files = [], flaky = [] }) {
  const failures = toFailures(files);
  const lines = [
    ...failures.map((failure) => `FAILED ${describeFailure(failure)}`),
    ...flaky.map((failure) => `FLAKY ${describeFailure(failure)}`),
  ];
  const hasFailedItself = code !== 0 && (code !== TESTS_FAILED || !complete || failures.length === 0);
  if (hasFailedItself) lines.push(`FAILED Jest itself (exit code ${code})`);
  const sum = (name) => files.reduce((total, file) => total + file[name], 0);
  const count = `${sum('passed')} passed, ${failures.length + (hasFailedItself ? 1 : 0)} failed`;
  return [...lines, sum('skipped') ? `${count}, ${sum('skipped')} skipped` : count].join('\n');
}
