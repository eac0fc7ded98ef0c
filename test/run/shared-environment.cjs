const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** The kind of the message by which Jest tells a worker that no test file is left. */
const END = 2;

// Servers and a browser that test files share would keep the process alive. The databases end with the Postgres of the run.
process.on('message', ([kind]) => {
  if (kind === END) process.exit();
});

/** The descriptions of the symbols under which Jest keeps the tests, time limits and retries of a test file. */
const JEST_STATE = /^(JEST_STATE_SYMBOL|EVENT_HANDLERS|TEST_TIMEOUT_SYMBOL|.*RETRY.*)$/;

/** Runs test files in the worker's own context, as shared-runtime.cjs requires, and restores what they change there. */
module.exports = class SharedEnvironment {
  global = globalThis;
  fakeTimers = null;
  moduleMocker = new ModuleMocker(globalThis);
  before = { console, exit: process.exit, env: { ...process.env } };

  constructor({ projectConfig }) {
    this.globals = projectConfig.globals;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    Object.assign(globalThis, this.globals);
  }

  async setup() {}

  async teardown() {
    this.fakeTimersModern.dispose();
    const symbols = Object.getOwnPropertySymbols(globalThis);
    const state = symbols.filter(({ description }) => JEST_STATE.test(description));
    for (const key of [...state, ...Object.keys(this.globals)]) delete globalThis[key];
    globalThis.console = this.before.console;
    process.exit = this.before.exit;
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
  }

  exportConditions() {
    return ['node', 'node-addons'];
  }

  getVmContext() {
    return null;
  }
};
