import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { identify, isRunning, pidOf, removeLeftovers, unfinished } from './processes.cjs';

const me = identify(process.pid);

/**
 * A lock between processes that is free at once when its holder dies, however it dies.
 *
 * It is a folder that holds one file named after the holder's identity. Renaming a prepared folder onto it succeeds
 * only while it is absent or empty, so one taker wins. A dead holder's file is removed by its own name, so whoever
 * judged late can't remove the file of somebody who took the lock meanwhile. Killed before the rename: nothing
 * happened but a leftover, which the next taker removes. Killed after it: the identity is dead.
 *
 * @param patience (holder) => how many milliseconds to wait for it in all; asked again and again
 * @returns the lock, or null with `holder` told through `patience` when it stays taken
 */
export async function takeLock(path, patience) {
  const began = Date.now();
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  removeLeftovers(path);
  for (;;) {
    const holder = attempt(path);
    if (!holder) break;
    if (Date.now() - began > patience(holder)) return null;
    await sleep(50);
  }
  const mine = join(path, me);
  return {
    /** Tells those who wait what the holder is doing. */
    note: (text) => writeFileSync(mine, text),
    release: () => rmSync(mine, { force: true }),
  };
}

/** Runs `work` while it holds the lock, however long that takes to get. */
export async function withLock(path, work, onWait = () => {}) {
  let told = false;
  const lock = await takeLock(path, (holder) => {
    if (!told) onWait(holder);
    told = true;
    return Infinity;
  });
  try {
    return await work();
  } finally {
    lock.release();
  }
}

function attempt(path) {
  const prepared = unfinished(path);
  mkdirSync(prepared, { recursive: true, mode: 0o700 });
  writeFileSync(join(prepared, me), '');
  try {
    for (;;) {
      try {
        renameSync(prepared, path);
        return null;
      } catch (error) {
        if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
      }
      for (const identity of readdirSync(path)) {
        if (isRunning(identity)) return { pid: pidOf(identity), note: noteOf(join(path, identity)) };
        rmSync(join(path, identity), { force: true });
      }
    }
  } finally {
    rmSync(prepared, { recursive: true, force: true });
  }
}

function noteOf(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
