import { ApiError } from '../../platform/http/errors';

export const workspaceInUse = (id: string) =>
  new ApiError('WORKSPACE_IN_USE', 'The workspace has calls', {
    details: `Demo data is only put into a workspace without calls, and ${id} has some. Leave --workspace out for a new one.`,
  });
