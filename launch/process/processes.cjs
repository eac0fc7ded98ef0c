const { execFileSync } = require('node:child_process');
const { readFileSync, readdirSync, readlinkSync, rmSync } = require('node:fs');
const { basename, dirname, join } = require('node:path');
const { setTimeout: sleep } = require('node:timers/promises');

const bootId = read('/proc/sys/kernel/random/boot_id').slice(0, 8);

/**
 * A unique name of a running process: pid, start time and boot. A later process with the same pid has another name.
 * Null if the process is not running; a zombie is not running.
 */
function identify(pid) {
  if (process.platform === 'linux') {
    const stat = read(`/proc/${pid}/stat`);
    if (!stat) return null;
    // The second field is the program's name in parentheses, with any characters. The 22nd is the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return 'ZX'.includes(fields[0]) ? null : `${pid}.${fields[19]}.${bootId}`;
  }
  const [state, ...started] = ps(pid, 'stat', 'lstart').split(/\s+/);
  return state && !state.startsWith('Z') ? `${pid}.${started.join('-').replaceAll(':', '-')}` : null;
}

const getPid = (identity) => Number.parseInt(identity, 10);
const isRunning = (identity) => identify(getPid(identity)) === identity;

async function endsWithin(identity, timeoutMs) {
  const deadline = Date.now() + timeoutMs;
  while (isRunning(identity)) {
    if (Date.now() > deadline) return false;
    await sleep(25);
  }
  return true;
}

/** Whether SIGSTOP has taken effect: a thread that is running on another core goes on for some milliseconds. */
function isStopped(identity) {
  const pid = getPid(identity);
  if (process.platform !== 'linux') return ps(pid, 'stat').startsWith('T');
  const threads = readdirSync(`/proc/${pid}/task`);
  return threads.every((thread) => /^State:\s+T/m.test(read(`/proc/${pid}/task/${thread}/status`)));
}

/** The program and arguments of a process; '' if it is not running. */
function readCommand(pid) {
  return process.platform === 'linux'
    ? read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ')
    : ps(pid, 'command');
}

/** The user id of a process; NaN if it is not running. */
function readUser(pid) {
  const uid =
    process.platform === 'linux' ? /^Uid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1] : ps(pid, 'uid');
  return Number.parseInt(uid, 10);
}

/** The running child processes of a process. */
function listChildren(parent) {
  if (process.platform !== 'linux') {
    const rows = runPs('-A', '-o', 'ppid=', '-o', 'pid=').split('\n');
    return rows
      .map((row) => row.trim().split(/\s+/).map(Number))
      .flatMap(([of, pid]) => (of === parent ? [pid] : []));
  }
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter(
      (pid) => Number(/^PPid:\s+(\d+)/m.exec(read(`/proc/${pid}/status`))?.[1]) === parent && identify(pid),
    );
}

/** The working folder of a process; undefined if the system does not provide it. */
function readWorkingFolder(pid) {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** A temporary path beside `path` that contains the identity of this process; see {@link removeStaleFiles}. */
const temporaryPath = (path) => `${path}.${identify(process.pid)}`;

/** Removes the {@link temporaryPath}s of processes that were killed. */
function removeStaleFiles(path) {
  for (const name of readdirSync(dirname(path))) {
    const identity = name.startsWith(`${basename(path)}.`) && name.slice(basename(path).length + 1);
    if (!identity || !/^\d+\./.test(identity) || isRunning(identity)) continue;
    try {
      rmSync(join(dirname(path), name), { recursive: true, force: true });
    } catch {
      // A child of the killed process may still be writing there. The next call removes it.
    }
  }
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const ps = (pid, ...columns) => runPs('-p', String(pid), ...columns.flatMap((name) => ['-o', `${name}=`]));

function runPs(...args) {
  try {
    const options = { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C', TZ: 'UTC' }, stdio: 'pipe' };
    return execFileSync('ps', args, options).trim();
  } catch {
    return '';
  }
}

module.exports = {
  identify,
  getPid,
  isRunning,
  endsWithin,
  isStopped,
  readCommand,
  readUser,
  listChildren,
  readWorkingFolder,
  temporaryPath,
  removeStaleFiles,
};
