import type { Parley } from '../../parley';
import { CommandFailed } from '../errors';
import type { Environment } from './environment';
import { writeLock } from './lock-file';
import { type Comparison, type Planned, send } from './plan';
import { toKey } from './resource';
import type { State } from './state';

/**
 * Makes the workspace as the files are. What is done stands in the lock file after each request.
 * @throws CommandFailed
 */
export async function apply(
  parley: Parley,
  state: State,
  environment: Environment,
  { plan, answered, batches }: Comparison,
): Promise<void> {
  const lock = { ...state.lock, resources: { ...state.lock.resources } };
  const note = async (changes: Planned[]) => {
    for (const { kind, slug, revision } of changes) {
      const key = toKey({ kind, slug });
      const content = state.tracked.get(key)?.filed?.hash;
      if (revision === null || content === undefined) delete lock.resources[key];
      else lock.resources[key] = { revision, content };
    }
    await writeLock(state.lockFile, lock);
  };
  for (const [key, { stored, filed }] of state.tracked) if (!stored && !filed) delete lock.resources[key];
  await note(answered.filter(({ action }) => action === 'none'));
  const changing = new Set(plan.changes.map(toKey));
  let done = 0;
  for (const batch of batches) {
    const rest = batch.filter((change) => changing.delete(toKey(change)));
    if (rest.length === 0) continue;
    try {
      const { changes } = await send(parley, state, environment, rest, { dry_run: false });
      await note(changes);
    } catch (error) {
      if (done > 0 && error instanceof CommandFailed)
        throw new CommandFailed(error.message, [
          ...error.details,
          `${done} of ${plan.changes.length} changes were done before.`,
        ]);
      throw error;
    }
    done += rest.length;
  }
}
