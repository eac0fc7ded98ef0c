/** SQL: whether a link, if there is one, was not revoked. The row of a link outlives what descends from it. */
export const isOfValidLink = (linkId: string, workspaceId: string) => `(${linkId} IS NULL OR EXISTS (
  SELECT FROM console_links link
  WHERE link.id = ${linkId} AND link.workspace_id = ${workspaceId} AND link.revoked_at IS NULL))`;
