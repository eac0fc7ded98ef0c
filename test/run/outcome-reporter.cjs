const { renameSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');
const { stripVTControlCharacters } = require('node:util');

/**
 * Writes the counts of each test file and the names of what failed in it to the file PARLEY_TEST_OUTCOME. Jest's own `--json` also
 * writes the errors themselves, and crashes where one of them is circular.
 */
module.exports = class OutcomeReporter {
  files = [];
  // Jest gives no project with a test case, and a file can run in two projects at once.
  runningTests = new Map();

  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onTestCaseStart({ path }, { fullName }) {
    this.runningTests.set(path, [...this.runningIn(path), fullName]);
  }

  onTestCaseResult({ path }, { fullName }) {
    const running = this.runningIn(path);
    const index = running.indexOf(fullName);
    this.runningTests.set(
      path,
      running.filter((_, other) => other !== index),
    );
  }

  /** Writes after each file, so that the counts survive a Jest that is killed. */
  onTestResult({ context, path }, result) {
    const { testExecError, testResults } = result;
    const failures = testResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName);
    // A worker died, or could not send its results: the results of the whole file are lost.
    if (testExecError)
      failures.push(`${this.runningIn(path).join(' | ') || 'the file'}: ${reason(testExecError)}`);
    this.files.push({
      project: context.config.displayName?.name,
      file: relative(this.rootDir, path),
      passed: result.numPassingTests,
      skipped: result.numPendingTests + result.numTodoTests,
      failures,
    });
    this.write(false);
  }

  onRunComplete(_, counts) {
    this.write(!counts.runExecError && !counts.wasInterrupted);
  }

  runningIn(path) {
    return this.runningTests.get(path) ?? [];
  }

  write(complete) {
    const file = process.env.PARLEY_TEST_OUTCOME;
    writeFileSync(`${file}.new`, JSON.stringify({ complete, files: this.files }));
    renameSync(`${file}.new`, file);
  }
};

const reason = ({ message, stack }) =>
  stripVTControlCharacters(message || stack || 'unknown error').split('\n', 1)[0];
