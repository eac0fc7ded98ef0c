import { CommandFailed } from '../errors';
import { listVariables } from './environment';
import { type CodeFile, toStem, writeFile } from './files';
import { type Lock, writeLock } from './lock-file';
import { type Resource, toHash, toKey } from './resource';
import { isUnchanged, type State, toFiled, type Tracked } from './state';

export interface Pulled {
  written: string[];
  removed: string[];
  /** Sentences about variables of the environment that come or go. */
  notes: string[];
}

/**
 * Makes the files as the workspace is. Files that have never been applied stay.
 * @throws CommandFailed if a file was edited, and then writes nothing
 */
export async function pull(state: State, { overwrite }: { overwrite: boolean }): Promise<Pulled> {
  const results = [...state.tracked.values()].map(toResult);
  const edited = results.filter((each) => each.isEdited);
  if (edited.length > 0 && !overwrite) {
    const paths = [...new Set(edited.map(({ tracked }) => findPath(state, tracked)))];
    throw new CommandFailed(
      `Nothing was written, because these files were edited: ${paths.join(', ')}. Apply them, or discard what was edited with --overwrite.`,
    );
  }
  const pulled: Pulled = { written: [], removed: [], notes: results.flatMap(listNotes) };
  for (const file of listChangedFiles(state, results)) {
    await writeFile(state.dir, file);
    (file.resources.length > 0 ? pulled.written : pulled.removed).push(file.path);
  }
  await writeLock(state.lockFile, { ...state.lock, resources: lockResults(results) });
  return pulled;
}

/** A resource and what its file is to have. */
interface Result {
  tracked: Tracked;
  /** undefined: nothing */
  resource: Resource | undefined;
  /** The hash of its definition. */
  hash: string | undefined;
  isEdited: boolean;
  isChanged: boolean;
}

function toResult(tracked: Tracked): Result {
  const { kind, slug, filed, stored, locked } = tracked;
  // One that was never applied has nothing to pull.
  const isNew = !stored && !locked;
  if (isNew || isUnchanged(tracked))
    return { tracked, resource: filed, hash: filed?.hash, isEdited: false, isChanged: false };
  const resource = stored && { kind, slug, definition: toFiled({ ...tracked, stored }) };
  const hash = resource && toHash(resource.definition);
  const isChanged = filed?.hash !== hash;
  // A file that somebody has removed was edited, too.
  const isEdited = isChanged && filed?.hash !== locked?.content;
  return { tracked, resource, hash, isEdited, isChanged };
}

function findPath({ files }: State, tracked: Tracked): string {
  if (tracked.filed) return tracked.filed.path;
  const stem = toStem(tracked);
  return files.get(stem)?.path ?? `${stem}.yaml`;
}

function listChangedFiles(state: State, results: Result[]): CodeFile[] {
  const files = new Map<string, Result[]>();
  for (const result of results) {
    const path = findPath(state, result.tracked);
    files.set(path, [...(files.get(path) ?? []), result]);
  }
  return [...files]
    .filter(([, each]) => each.some(({ isChanged }) => isChanged))
    .map(([path, each]) => ({ path, resources: each.flatMap(({ resource }) => resource ?? []) }));
}

/** Somebody else decides on the names of secrets, and a placeholder may be gone with its text. */
function listNotes({ tracked, resource, isChanged }: Result): string[] {
  if (!isChanged || !resource) return [];
  const before = new Set(listVariables(tracked.filed?.definition));
  const after = new Set(listVariables(resource.definition));
  const key = toKey(tracked);
  return [
    ...[...after]
      .filter((name) => !before.has(name))
      .map((name) => `${key}: plan and apply take ${name} from your environment from now on`),
    ...[...before]
      .filter((name) => !after.has(name))
      .map((name) => `${key}: \${env:${name}} is gone, so its value may stand in the file`),
  ];
}

function lockResults(results: Result[]): Lock['resources'] {
  const resources: Lock['resources'] = {};
  for (const { tracked, hash } of results) {
    const { stored } = tracked;
    if (stored && hash !== undefined)
      resources[toKey(tracked)] = { revision: stored.revision, content: hash };
  }
  return resources;
}
