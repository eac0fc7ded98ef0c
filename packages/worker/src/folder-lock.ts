import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

export const LOCK_FILE = 'lock';

/** The interval in which a holder renews its lock. */
export const RENEWAL_MS = 5_000;
/** A lock whose holder cannot be looked up is free after this time without a renewal. */
const STALE_MS = 60_000;

/** The process id of a lock that was released. */
const NOBODY = 0;

/** The identity of a process. A process id alone may belong to another process today. */
interface Holder {
  nonce: string;
  pid: number;
  /** The start of the process as the system reports it; '' if it does not. */
  started: string;
  /** The place in which `pid` is unique: a container has process ids of its own. */
  place: string;
}

/** The lock of this process on a folder. */
export class FolderLock {
  private readonly holder: Holder = { nonce: randomUUID(), ...self() };
  private readonly file: string;

  constructor(readonly folder: string) {
    this.file = join(folder, LOCK_FILE);
  }

  take(): void {
    // The file is written under another name first, so that nobody reads half of it.
    const unfinished = `${this.file}.${this.holder.nonce}`;
    writeFileSync(unfinished, JSON.stringify(this.holder), { mode: 0o600 });
    renameSync(unfinished, this.file);
  }

  /** Frees the lock at once, for this process too, whose identity does not change. */
  release(): void {
    this.holder.pid = NOBODY;
    this.take();
  }

  /** @returns false if another process has taken the lock, because this one stood still for long */
  renew(): boolean {
    if (read(this.file)?.nonce !== this.holder.nonce) return false;
    const now = new Date();
    utimesSync(this.file, now, now);
    return true;
  }
}

/** Whether the process that locked the folder is gone. A folder without a readable lock is free when it is old. */
export function isAbandoned(folder: string): boolean {
  const file = join(folder, LOCK_FILE);
  const holder = read(file);
  if (holder?.pid === NOBODY) return true;
  if (holder && holder.place !== '' && holder.place === place()) {
    return readStart(holder.pid) !== holder.started;
  }
  return Date.now() - changedAt(holder ? file : folder) > STALE_MS;
}

const read = (file: string): Holder | undefined => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
};

/** A file that is gone counts as changed in the future: another process has just taken it. */
const changedAt = (path: string): number => {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return Infinity;
  }
};

function self(): Omit<Holder, 'nonce'> {
  return { pid: process.pid, started: readStart(process.pid), place: place() };
}

/** The 22nd field of Linux's `stat` file, after the name, which may contain spaces. '' if there is no such process. */
function readStart(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? '';
  } catch {
    return '';
  }
}

/** This start of this machine, and the container; '' where the system does not say. */
function place(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim();
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return '';
  }
}
