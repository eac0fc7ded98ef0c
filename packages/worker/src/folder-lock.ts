import { randomUUID } from 'node:crypto';
import { readFileSync, readlinkSync, renameSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';

export const LOCK_FILE = 'lock';

/** How often a holder renews its lock. */
export const RENEWAL_MS = 5_000;
/** A lock whose holder cannot be looked up is free after this time without a renewal. */
const STALE_MS = 60_000;

/** The process id of a lock that was released. */
const NOBODY = 0;

/** The identity of a process. A process id alone may belong to another process today. */
interface Holder {
  nonce: string;
  pid: number;
  /** When the process began, by the system; '' where it does not say. */
  started: string;
  /** Where `pid` has a meaning: a container has process ids of its own. */
  place: string;
}

/** The right of this process to a folder. */
export class FolderLock {
  private readonly holder: Holder = { nonce: randomUUID(), ...self() };
  private readonly file: string;

  constructor(readonly folder: string) {
    this.file = join(folder, LOCK_FILE);
  }

  take(): void {
    // With another name first: nobody reads half of it.
    const unfinished = `${this.file}.${this.holder.nonce}`;
    writeFileSync(unfinished, JSON.stringify(this.holder), { mode: 0o600 });
    renameSync(unfinished, this.file);
  }

  /** Frees it at once for this process, too, whose identity does not change. */
  release(): void {
    this.holder.pid = NOBODY;
    this.take();
  }

  /** @returns false if another process has taken it, because this one stood still for long */
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
    return startOf(holder.pid) !== holder.started;
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

/** The future if it is gone: another process has just taken it. */
const changedAt = (path: string): number => {
  try {
    return statSync(path).mtimeMs;
  } catch {
    return Infinity;
  }
};

function self(): Omit<Holder, 'nonce'> {
  return { pid: process.pid, started: startOf(process.pid), place: place() };
}

/** The 22nd field of Linux's `stat` file, after the name, which may contain spaces. '' if there is no such process. */
function startOf(pid: number): string {
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
