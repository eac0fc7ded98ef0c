const { spawnSync } = require('node:child_process');
const { readFileSync, writeFileSync } = require('node:fs');

const TRIES = {
  read: ({ path }) => readFileSync(path),
  write: ({ path }) => writeFileSync(path, ''),
  spawn: () => spawnSync(process.execPath, ['--version']),
  // A thread without the permissions of its process.
  thread: () => new (require('node:worker_threads').Worker)('', { eval: true, execArgv: [] }),
};

let isGuarded = false;

/** Tries the action of a task, in a process that is guarded as those of the product are. */
process.on('message', ({ guard, what, ...task }) => {
  if (!isGuarded) require(guard).guardChild();
  isGuarded = true;
  let result = 'done';
  try {
    TRIES[what](task);
  } catch (error) {
    result = error.code ?? error.message;
  }
  process.send({ result });
});
