import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, statfsSync, writeFileSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { identify } from '../../launch/process/processes.cjs';
import { root } from '../../launch/process/root.mjs';
import { onShutdown } from '../../launch/process/shutdown.mjs';

const MEMORY_FOLDER = '/dev/shm';
/** The memory is twice that of a run. */
const MEMORY_NEEDED = 4 * 1024 ** 3;

/**
 * Makes a folder for all files of the run. The folder and the processes in it end with this process, even if it is
 * killed.
 */
export function makeFolder({ onDisk = false } = {}) {
  const folder = mkdtempSync(join(onDisk ? diskFolder() : parentFolder(), 'parley-test-'));
  const cleaner = spawn(process.execPath, [join(root, 'test', 'run', 'clean-up.mjs'), folder], {
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  onShutdown(async () => {
    cleaner.stdin.end();
    await once(cleaner, 'exit');
  });
  return folder;
}

/**
 * The folder is in memory if there is enough: a database has 300 files, and RabbitMQ waits for the disk to store a
 * message.
 */
function parentFolder() {
  if (process.platform === 'linux' && freeBytes(MEMORY_FOLDER) > MEMORY_NEEDED) return MEMORY_FOLDER;
  return diskFolder();
}

/** The account of Postgres may be unable to enter root's own temporary folder. */
const diskFolder = () => (process.getuid?.() === 0 ? '/tmp' : tmpdir());

function freeBytes(folder) {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return Math.min(bavail * bsize, freemem());
  } catch {
    return 0;
  }
}

/**
 * The environment without the user's settings: a test makes its own, and must never use their database. Tests of services
 * themselves find the accounts in one variable.
 */
export function cleanEnvironment(folder) {
  const env = { ...process.env, TMPDIR: folder, PARLEY_DATA: join(folder, 'data') };
  const settings = readFileSync(join(root, '.env.example'), 'utf8').matchAll(/^#? *([A-Z][A-Z_]+)=/gm);
  const hidden = {};
  for (const [, name] of settings) {
    if (name === 'PARLEY_DATA' || env[name] === undefined) continue;
    hidden[name] = env[name];
    delete env[name];
  }
  if (env.VOICE_LIVE_TESTS) env.VOICE_LIVE_SETTINGS = JSON.stringify(hidden);
  return env;
}

/** Runs a program of Node.js to its end, and resolves with its exit code. */
export async function runProgram(folder, args, env) {
  const program = spawn(process.execPath, args, { cwd: root, env, stdio: 'inherit' });
  writeFileSync(join(folder, 'program.pid'), identify(program.pid) ?? '');
  const exited = once(program, 'exit');
  const forget = onShutdown(() => program.kill() && exited);
  const [code] = await exited;
  forget();
  return code ?? 1;
}
