import type { Transaction } from '../../platform/database/database';

/** The resource of a workspace's advisory lock, before the id of the workspace. */
export const WORKSPACE_LOCK = 'workspace ';

/** Locks a workspace before a transaction locks or changes its row; see `lockWorkspaces`. */
export const lockWorkspace = (id: string, transaction: Transaction): Promise<void> =>
  transaction.lock(`${WORKSPACE_LOCK}${id.toLowerCase()}`);
