import { readFile } from 'node:fs/promises';
import { CommandFailed, UsageError } from '../errors';
import { writeText } from './files';

/** A resource as it was when its file and the workspace were last the same. */
export interface LockEntry {
  /** The revision that the server had. */
  revision: string;
  /** The hash of what the file had, before placeholders are filled in. */
  content: string;
}

/** The state that the files of a folder were made from. */
export interface Lock {
  workspace: string;
  /** By kind and slug. */
  resources: Record<string, LockEntry>;
}

/** @returns undefined if there is none @throws CommandFailed if it is not valid @throws UsageError */
export async function readLock(file: string): Promise<Lock | undefined> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new UsageError(`${file} cannot be read: ${(error as Error).message}`);
  }
  const lock = parse(text);
  if (lock) return lock;
  throw new CommandFailed(`${file} is no lock file of parley. Remove it, and run: parley pull`);
}

export const writeLock = (file: string, { workspace, resources }: Lock): Promise<void> => {
  const sorted = Object.entries(resources).sort(([one], [other]) => (one < other ? -1 : 1));
  const lock: Lock = { workspace, resources: Object.fromEntries(sorted) };
  return writeText(file, `${JSON.stringify(lock, null, 2)}\n`);
};

function parse(text: string): Lock | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { workspace, resources } = (value ?? {}) as Partial<Lock>;
  if (typeof workspace !== 'string' || typeof resources !== 'object' || resources === null) return undefined;
  const isValid = Object.values(resources).every(
    (entry: Partial<LockEntry> | null) =>
      typeof entry?.revision === 'string' && typeof entry.content === 'string',
  );
  return isValid ? { workspace, resources } : undefined;
}
