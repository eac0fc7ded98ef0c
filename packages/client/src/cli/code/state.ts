import type { Parley } from '../../parley';
import type { Schemas } from '../../types';
import { CommandFailed, UsageError } from '../errors';
import { keepPlaceholders } from './environment';
import { type CodeFiles, readFiles } from './files';
import { type Lock, type LockEntry, readLock } from './lock-file';
import { type Definition, type Named, type Resource, toHash, toKey } from './resource';

/** The most attempts to read a workspace that changes meanwhile. */
const ATTEMPTS = 5;

export type Stored = Schemas['CodeResourceDto'];

/** A resource in the three places that it can be in. */
export interface Tracked extends Named {
  filed?: Resource & { path: string; hash: string };
  stored?: Stored;
  locked?: LockEntry;
}

/** The resources of a folder and of a workspace. */
export interface State {
  dir: string;
  lockFile: string;
  lock: Lock;
  files: CodeFiles;
  /** By their keys. */
  tracked: Map<string, Tracked>;
}

/** @throws UsageError if the lock file is that of another workspace @throws CommandFailed */
export async function readState(
  parley: Parley,
  { dir, lockFile, stdin }: { dir: string; lockFile: string; stdin: NodeJS.ReadStream },
): Promise<State> {
  const locked = await readLock(lockFile);
  const files = await readFiles(dir, stdin);
  const { workspaceId: workspace } = await parley.workspace.get();
  if (locked && locked.workspace !== workspace)
    throw new UsageError(
      `${lockFile} is that of the workspace ${locked.workspace}. Name another one for ${workspace} with --lock.`,
    );
  const lock = locked ?? { workspace, resources: {} };
  return { dir, lockFile, lock, files, tracked: track(files, await listStored(parley), lock) };
}

/** A resource that moves to a page that was read before would be missed, and look deleted. */
async function listStored(parley: Parley): Promise<Stored[]> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const list = parley.code.list({ limit: 100 });
    const stored = new Map<string, Stored>();
    for (let number = 1, hasNext = true; hasNext; number += 1) {
      const { data, pagination } = await list.page(number);
      for (const each of data) stored.set(toKey(each), each);
      hasNext = pagination.hasNextPage;
      if (!hasNext && stored.size === pagination.total) return [...stored.values()];
    }
  }
  throw new CommandFailed('The workspace changes while it is read. Nothing was done.');
}

function track(files: CodeFiles, stored: Stored[], lock: Lock): Map<string, Tracked> {
  const tracked = new Map<string, Tracked>();
  const find = (named: Named): Tracked => {
    const key = toKey(named);
    const found = tracked.get(key) ?? { kind: named.kind, slug: named.slug, locked: lock.resources[key] };
    tracked.set(key, found);
    return found;
  };
  for (const each of stored) find(each).stored = each;
  for (const { path, resources } of files.values())
    for (const each of resources) find(each).filed = { ...each, path, hash: toHash(each.definition) };
  for (const key of Object.keys(lock.resources)) {
    const [kind = '', ...slug] = key.split('/');
    find({ kind: kind as Named['kind'], slug: slug.join('/') });
  }
  return tracked;
}

/** Whether the file and the workspace are as they were when they were last the same. */
export const isUnchanged = ({ filed, stored, locked }: Tracked): boolean =>
  locked !== undefined && filed?.hash === locked.content && stored?.revision === locked.revision;

/** The definition of the workspace as its file would have it. */
export function toFiled({ kind, stored, filed }: Tracked & { stored: Stored }): Definition {
  const { secrets, ...others } = stored.definition;
  const definition = keepPlaceholders(others, filed?.definition) as Definition;
  if (kind !== 'tool' || !Array.isArray(secrets)) return definition;
  const given: unknown = filed?.definition.secrets ?? {};
  // The server shows names only, and a file may have no more.
  if (Array.isArray(given)) return { ...definition, secrets };
  const kept = new Map(Object.entries(given as Definition));
  const values = (secrets as string[]).map((name) => [name, kept.get(name) ?? `\${env:${name}}`]);
  return { ...definition, secrets: Object.fromEntries(values) as Definition };
}
