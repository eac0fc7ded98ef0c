import { type FieldError, ParleyError } from '../../errors';
import type { Parley } from '../../parley';
import type { Schemas } from '../../types';
import { CommandFailed, describeFailure } from '../errors';
import { type Change, toBatches } from './batches';
import { type Environment, hasPlaceholder } from './environment';
import { type Named, toKey } from './resource';
import { isUnchanged, type State, type Tracked } from './state';

export type Planned = Schemas['AppliedChangeDto'];
export type Drift = Schemas['CodeDriftDto'];

/** A resource of the workspace that is in no file. */
export interface Orphan extends Named {
  /** Whether `--prune` deletes it: it was in a file that is gone. */
  was_in_file: boolean;
}

export interface Plan {
  changes: Planned[];
  drift: Drift[];
  orphans: Orphan[];
}

/** A plan, and the requests that do it. */
export interface Comparison {
  plan: Plan;
  /** The answer of the server about each resource, also about those that stay as they are. */
  answered: Planned[];
  batches: Change[][];
}

/**
 * Compares the files with the workspace, which is not changed.
 * @throws CommandFailed if a variable of the environment has no value, or the server refuses a file
 */
export async function compare(
  parley: Parley,
  state: State,
  environment: Environment,
  { prune }: { prune: boolean },
): Promise<Comparison> {
  const tracked = [...state.tracked.values()];
  const changes = tracked.flatMap((each) => toChange(each, environment, prune));
  assertNoneMissing(environment);
  if (state.files.size === 0 && changes.length > 0)
    throw new CommandFailed(
      `${state.dir} has no files, so --prune would delete everything. Nothing was done.`,
    );
  assertRehearsalsGo(changes, tracked);
  const batches = toBatches(changes);
  const answered = new Map<string, Planned>();
  const drift = new Map<string, Drift>();
  for (const batch of batches) {
    const answer = await send(parley, state, environment, batch, { dry_run: true });
    for (const each of answer.changes) answered.set(toKey(each), each);
    for (const each of answer.drift) drift.set(toKey(each), each);
  }
  const plan = {
    changes: [...answered.values()].filter(({ action }) => action !== 'none'),
    drift: [...drift.values()],
    orphans: tracked.flatMap(toOrphan),
  };
  return { plan, answered: [...answered.values()], batches };
}

/** Sends changes. @throws CommandFailed that names the files of what the server refuses */
export async function send(
  parley: Parley,
  state: State,
  environment: Environment,
  resources: Change[],
  options: { dry_run: boolean },
): Promise<Schemas['AppliedCodeDto']> {
  try {
    return await parley.code.apply({ ...options, resources });
  } catch (error) {
    if (!(error instanceof ParleyError)) throw error;
    const errors = error.errors.map((each) => nameFile(each, resources, state));
    const { status, code, message, details, requestId, retryAfter } = error;
    const named = new ParleyError({ status, code, message, details, errors, requestId, retryAfter });
    const [first = '', ...others] = describeFailure(named).map((line) => environment.hide(line));
    throw new CommandFailed(first, others);
  }
}

/** An error of a file instead of the request, such as one of `agent/front-desk: llmConfig.temperature`. */
function nameFile({ field, message }: FieldError, resources: Change[], { tracked }: State): FieldError {
  const [, index, path = ''] = /^body\.resources\.(\d+)\.?(.*)$/.exec(field) ?? [];
  const named = resources[Number(index)];
  if (!named) return { field, message };
  const key = toKey(named);
  const names = path.split('.').slice(1);
  return {
    field: [key, ...(names.length > 0 ? [names.join('.')] : [])].join(': '),
    // A message can have a part of the value, by which it is not found.
    message: isFilled(tracked.get(key)?.filed?.definition, names) ? HIDDEN : message,
  };
}

const HIDDEN = 'is refused. The reason is not shown, because the value has parts of the environment.';

/** Whether the value at a path, or the last one on the way to it, has a placeholder. */
function isFilled(definition: unknown, names: string[]): boolean {
  let value = definition;
  for (const name of names) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) break;
    value = (value as Record<string, unknown>)[name];
  }
  return value !== definition && hasPlaceholder(value);
}

function toChange(tracked: Tracked, environment: Environment, prune: boolean): Change[] {
  const { kind, slug, filed, stored, locked } = tracked;
  const base = locked?.revision ?? null;
  // Values of secrets are not part of a revision, so files with placeholders are always compared.
  if (filed && isUnchanged(tracked) && !hasPlaceholder(filed.definition)) return [];
  if (filed) return [{ kind, slug, base, definition: environment.fill(filed.definition) }];
  return prune && stored && locked ? [{ kind, slug, base, definition: null }] : [];
}

const toOrphan = ({ kind, slug, filed, stored, locked }: Tracked): Orphan[] =>
  stored && !filed ? [{ kind, slug, was_in_file: locked !== undefined }] : [];

/** The server deletes an agent with all its rehearsals. @throws CommandFailed if the changes do not name them all */
function assertRehearsalsGo(changes: Change[], tracked: Tracked[]): void {
  const deleted = new Set(changes.filter(({ definition }) => !definition).map(toKey));
  const kept = tracked
    .filter((each) => each.kind === 'rehearsal' && each.stored && !deleted.has(toKey(each)))
    .filter(({ slug }) => deleted.has(toKey({ kind: 'agent', slug: slug.split('/')[0] ?? '' })))
    .map(toKey);
  if (kept.length === 0) return;
  throw new CommandFailed(
    `Nothing was done, because --prune would delete an agent with ${kept.join(', ')}. Pull them, and remove their files, too.`,
  );
}

function assertNoneMissing({ missing }: Environment): void {
  if (missing.size === 0) return;
  const names = [...missing].sort().join(', ');
  throw new CommandFailed(
    `Nothing was done, because the files need these variables of the environment: ${names}`,
  );
}
