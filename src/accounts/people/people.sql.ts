import { statement } from '../../platform/database/statement';
import type { Person } from '../auth/person.entity';

export type ListedPerson = Pick<
  Person,
  'id' | 'name' | 'email' | 'role' | 'joinedAt' | 'lastUsedAt' | 'invitedBy' | 'createdAt'
> & {
  hasIdentity: boolean;
  /** The end of a link that was not used yet. null: there is none */
  linkExpiresAt: Date | null;
};

/** SQL: the columns of a person in lists. */
const LISTED = `
  person.id, person.name, person.email, person.role, person.joined_at AS "joinedAt",
  person.last_used_at AS "lastUsedAt", person.invited_by AS "invitedBy", person.created_at AS "createdAt",
  person.issuer IS NOT NULL AS "hasIdentity",
  (SELECT max(link.expires_at)
   FROM console_links link JOIN workspaces workspace ON workspace.id = link.workspace_id
   WHERE link.person_id = person.id AND link.used_at IS NULL AND link.revoked_at IS NULL AND link.expires_at > now()
     AND (workspace.tokens_not_before IS NULL OR link.created_at >= workspace.tokens_not_before)) AS "linkExpiresAt"`;

/** One page of the people, by name. Each row has how many there are, also if the page is empty. */
export const LIST_PEOPLE = statement<
  { workspaceId: string; offset: number; limit: number },
  { total: number } & (ListedPerson | { id: null })
>(
  'list-people',
  `
    WITH page AS (
      SELECT * FROM people WHERE workspace_id = $workspaceId ORDER BY lower(name), id OFFSET $offset LIMIT $limit
    )
    SELECT total, ${LISTED}
    FROM (SELECT count(*)::int AS total FROM people WHERE workspace_id = $workspaceId) AS counted
    LEFT JOIN page AS person ON true
    ORDER BY lower(person.name), person.id`,
);

export const FIND_PERSON = statement<{ workspaceId: string; id: string }, ListedPerson>(
  'find-person',
  `SELECT ${LISTED} FROM people person WHERE workspace_id = $workspaceId AND id = $id`,
);

export type NewPerson = Pick<Person, 'id' | 'name' | 'email' | 'role' | 'invitedBy'>;

/** No row: the workspace has a person with this e-mail address. */
export const INSERT_PERSON = statement<NewPerson & { workspaceId: string }, { id: string }>(
  'insert-person',
  `
    INSERT INTO people (id, workspace_id, name, email, role, invited_by)
    VALUES ($id, $workspaceId, $name, $email, $role, $invitedBy::jsonb)
    ON CONFLICT (workspace_id, email) DO NOTHING RETURNING id`,
);

/**
 * SQL: whether the workspace has another admin who has joined. The answer is exact under the lock of the workspace's
 * keys: each statement that changes a role or removes a person takes this lock first.
 */
const hasOtherAdmin = (person: string) => `EXISTS (
  SELECT FROM people other
  WHERE other.workspace_id = ${person}.workspace_id AND other.id <> ${person}.id AND other.role = 'admin'
    AND other.joined_at IS NOT NULL)`;

/** SQL: whether the person may lose the role or be removed. */
const isNotLastAdmin = (person: string) =>
  `(${person}.role <> 'admin' OR ${person}.joined_at IS NULL OR ${hasOtherAdmin(person)})`;

export type PersonChanges = Pick<Person, 'name' | 'email' | 'role'>;

/** No row: there is no such person, or the workspace would lose its last admin. */
export const UPDATE_PERSON = statement<PersonChanges & { workspaceId: string; id: string }, { id: string }>(
  'update-person',
  `
    UPDATE people person SET name = $name, email = $email, role = $role
    WHERE workspace_id = $workspaceId AND id = $id AND ($role = 'admin' OR ${isNotLastAdmin('person')})
    RETURNING id`,
);

/** Whether another person of the workspace has this e-mail address. */
export const FIND_EMAIL = statement<{ workspaceId: string; id: string; email: string }, { id: string }>(
  'find-person-by-email',
  `SELECT id FROM people WHERE workspace_id = $workspaceId AND email = $email AND id <> $id`,
);

export const END_SESSIONS_OF_PERSON = statement<{ workspaceId: string; id: string }, { id: string }>(
  'end-sessions-of-person',
  `DELETE FROM sessions WHERE workspace_id = $workspaceId AND person_id = $id RETURNING id`,
);

/**
 * Deletes a person with all links, and notes the identity, so that the provider does not bring the person back. No row:
 * there is no such person, or the workspace would lose its last admin.
 */
export const DELETE_PERSON = statement<{ workspaceId: string; id: string }, { name: string }>(
  'delete-person',
  `
    WITH removed AS (
      DELETE FROM people person WHERE workspace_id = $workspaceId AND id = $id AND ${isNotLastAdmin('person')}
      RETURNING workspace_id, name, issuer, subject
    ), noted AS (
      INSERT INTO removed_identities (workspace_id, issuer, subject)
      SELECT workspace_id, issuer, subject FROM removed WHERE issuer IS NOT NULL
      ON CONFLICT DO NOTHING
    )
    SELECT name FROM removed`,
);
