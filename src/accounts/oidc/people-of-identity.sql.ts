import { statement } from '../../platform/database/statement';
import type { PersonRole } from '../auth/roles';

export interface IdentityOfPerson {
  issuer: string;
  subject: string;
}

export interface PersonOfIdentity {
  id: string;
  workspaceId: string;
  name: string;
  role: PersonRole;
}

const PERSON = 'person.id, person.workspace_id AS "workspaceId", person.name, person.role';

/**
 * Makes the identity that of the people who were invited with its proved e-mail address, in all workspaces, and forgets
 * that the identity was removed there.
 */
export const LINK_IDENTITY = statement<IdentityOfPerson & { email: string }, PersonOfIdentity>(
  'link-identity-to-people',
  `
    WITH linked AS (
      UPDATE people person SET issuer = $issuer, subject = $subject
      WHERE email = $email AND issuer IS NULL AND NOT EXISTS (
        SELECT FROM people other
        WHERE other.workspace_id = person.workspace_id AND other.issuer = $issuer AND other.subject = $subject)
      RETURNING ${PERSON}
    ), forgotten AS (
      DELETE FROM removed_identities removed USING linked
      WHERE removed.workspace_id = linked."workspaceId" AND issuer = $issuer AND subject = $subject
    )
    SELECT * FROM linked`,
);

/** The people of the identity in workspaces that are not suspended, those who signed in last first. */
export const FIND_PEOPLE_OF_IDENTITY = statement<IdentityOfPerson & { limit: number }, PersonOfIdentity>(
  'find-people-of-identity',
  `
    SELECT ${PERSON}
    FROM people person JOIN workspaces workspace ON workspace.id = person.workspace_id
    WHERE issuer = $issuer AND subject = $subject AND workspace.suspended_at IS NULL
    ORDER BY person.last_used_at DESC NULLS LAST, person.id LIMIT $limit`,
);

/** Whether the identity may come to the workspace without an invitation. No row: it has, or it was removed there. */
export const FIND_OPEN_WORKSPACE = statement<IdentityOfPerson & { workspaceId: string }, { id: string }>(
  'find-workspace-open-to-identity',
  `
    SELECT id FROM workspaces workspace
    WHERE id = $workspaceId AND suspended_at IS NULL
      AND NOT EXISTS (
        SELECT FROM people WHERE workspace_id = $workspaceId AND issuer = $issuer AND subject = $subject)
      AND NOT EXISTS (
        SELECT FROM removed_identities
        WHERE workspace_id = $workspaceId AND issuer = $issuer AND subject = $subject)`,
);

/** No row: another sign-in has added the identity, or another person of the workspace has its e-mail address. */
export const INSERT_PERSON_OF_IDENTITY = statement<
  IdentityOfPerson & {
    id: string;
    workspaceId: string;
    name: string;
    email: string | null;
    role: PersonRole;
  },
  PersonOfIdentity
>(
  'insert-person-of-identity',
  `
    INSERT INTO people AS person (id, workspace_id, name, email, role, issuer, subject)
    VALUES ($id, $workspaceId, $name, $email, $role, $issuer, $subject)
    ON CONFLICT DO NOTHING RETURNING ${PERSON}`,
);
