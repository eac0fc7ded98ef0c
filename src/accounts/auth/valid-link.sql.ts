/**
 * SQL: whether a link, if there is one, was not revoked. The row of a link outlives what descends from it. What a person
 * created is valid as long as the person is an admin, because others may create no credentials.
 */
export const isOfValidLink = (linkId: string, workspaceId: string) => `(${linkId} IS NULL OR EXISTS (
  SELECT FROM console_links link LEFT JOIN people creator ON creator.id = link.person_id
  WHERE link.id = ${linkId} AND link.workspace_id = ${workspaceId} AND link.revoked_at IS NULL
    AND (link.person_id IS NULL OR creator.role = 'admin')))`;
