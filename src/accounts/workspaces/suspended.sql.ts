/** Whether the operator suspended a workspace. @param workspaceId an expression */
export const isSuspended = (workspaceId: string) =>
  `EXISTS (SELECT FROM workspaces WHERE workspaces.id = ${workspaceId} AND workspaces.suspended_at IS NOT NULL)`;
