import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, getPid, removeStaleFiles, temporaryPath } from './processes.cjs';

const ownIdentity = identify(process.pid);

/**
 * Acquires a lock between processes, which is free as soon as its holder has ended, even by `kill -9`. It is a
 * folder with one file, named after its holder: renaming a prepared folder to it succeeds only if it is absent or
 * empty, and a dead holder's file is removed by its name, never a new holder's. It is no package, for the reasons
 * in docs/decisions/0018-libraries-tried.md.
 * @param timeoutFor (holder) => how many milliseconds to wait in all; called before each retry
 * @returns the lock, or null if it is still held after that time
 */
export async function acquireLock(path, timeoutFor) {
  const startedAt = Date.now();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeStaleFiles(path);
  for (;;) {
    const holder = tryAcquire(path);
    if (!holder) break;
    if (Date.now() - startedAt > timeoutFor(holder)) return null;
    await sleep(50);
  }
  const ownFile = join(path, ownIdentity);
  return {
    /** Sets the text that waiting processes see as the holder's `note`. */
    setNote: (text) => writeFileSync(ownFile, text),
    release: () => rmSync(ownFile, { force: true }),
  };
}

/** Runs `work` with the lock, and waits for the lock without a limit. `onWait` is called once, with the holder. */
export async function withLock(path, work, onWait = () => {}) {
  let waiting = false;
  const lock = await acquireLock(path, (holder) => {
    if (!waiting) onWait(holder);
    waiting = true;
    return Infinity;
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/** Returns null if the lock was acquired, otherwise its holder. */
function tryAcquire(path) {
  const prepared = temporaryPath(path);
  mkdirSync(prepared, { recursive: true, mode: 0o700 });
  writeFileSync(join(prepared, ownIdentity), '');
  try {
    for (;;) {
      try {
        renameSync(prepared, path);
        return null;
      } catch (error) {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      }
      for (const identity of readdirSync(path)) {
        if (isRunning(identity)) return { pid: getPid(identity), note: readNote(join(path, identity)) };
        rmSync(join(path, identity), { force: true });
      }
    }
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

function readNote(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
