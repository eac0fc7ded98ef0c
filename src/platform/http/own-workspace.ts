import type { AuthenticatedRequest } from './access';
import { validationFailed } from './errors';

export const foreignWorkspace = (location: 'body' | 'query') =>
  validationFailed(
    [{ field: `${location}.workspaceId`, message: 'workspaceId must be the workspace of the credential' }],
    'WORKSPACE_MISMATCH',
  );

/** @throws 400 if a request names a workspace other than its credential's */
export function assertOwnWorkspace(request: AuthenticatedRequest) {
  for (const location of ['body', 'query'] as const) {
    const named = (request[location] as { workspaceId?: unknown } | undefined)?.workspaceId;
    if (named !== undefined && named !== request.user.workspaceId) {
      throw foreignWorkspace(location);
    }
  }
}
