import { ApiKeysService, type NewKey } from '../../accounts/auth/api-keys.service';
import {
  type CreatedWorkspace,
  type NewWorkspace,
  WorkspacesService,
} from '../../accounts/workspaces/workspaces.service';
import { audited } from './audited';
import type { Services } from './command';

/** Creates an API key in the name of the operator. */
export const createKey = ({ workspaceId, userId }: CreatedWorkspace, key: NewKey, services: Services) =>
  audited(
    'api_key.created',
    ({ keyId, name }: { keyId: string; name: string | null }) => ({ workspaceId, id: keyId, name }),
    () => services(ApiKeysService).create(workspaceId, userId, key),
  );

const creation = <Created>(
  { name, credits }: NewWorkspace,
  create: () => Promise<Created>,
): Promise<Created> =>
  audited(
    'workspace.created',
    ({ workspaceId }: CreatedWorkspace) => ({ workspaceId, id: workspaceId, name, details: { credits } }),
    create,
  );

/** Creates a workspace and its first API key. */
export async function createWorkspace(workspace: NewWorkspace, services: Services) {
  const created = await creation(workspace, () => services(WorkspacesService).create(workspace));
  return { ...created, ...(await createKey(created, {}, services)) };
}

/**
 * Creates the first workspace and its API key.
 * @returns null if there is a workspace already
 */
export async function createFirstWorkspace(workspace: NewWorkspace, services: Services) {
  const created = await creation(workspace, () => services(WorkspacesService).createFirst(workspace));
  return created && { ...created, ...(await createKey(created, {}, services)) };
}
