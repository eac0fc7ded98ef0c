/** Whether the operator has suspended a workspace, by an expression with its id. */
export const isSuspended = (workspaceId: string) =>
  `EXISTS (SELECT FROM workspaces WHERE workspaces.id = ${workspaceId} AND workspaces.suspended_at IS NOT NULL)`;
