import { type Statement, statement } from '../../platform/database/statement';
import { type DoNotCallEntry, ENTRY_SOURCE } from './do-not-call-entry.entity';
import { IS_NOT_EXPIRED } from './is-listed.sql';

/**
 * SQL: puts numbers on the lists of workspaces. The later entry of a number counts.
 * @param source SQL: rows of workspace_id, phone_number, reason, source, created_by and expires_at; each number of a
 *   workspace once
 */
export const listNumbers = (source: string) => `
  INSERT INTO do_not_call (workspace_id, phone_number, reason, source, created_by, expires_at)
  SELECT workspace_id, phone_number, reason, source, created_by, expires_at FROM (${source}) AS entry
  ORDER BY workspace_id, phone_number
  ON CONFLICT (workspace_id, phone_number) DO UPDATE
  SET reason = excluded.reason, source = excluded.source, created_by = excluded.created_by, expires_at = excluded.expires_at,
      created_at = now()`;

export type ListedNumber = Pick<
  DoNotCallEntry,
  'phoneNumber' | 'reason' | 'source' | 'createdBy' | 'createdAt' | 'expiresAt'
>;

type NewEntry = Pick<DoNotCallEntry, 'workspaceId' | 'phoneNumber' | 'reason' | 'createdBy' | 'expiresAt'>;

const LISTED_NUMBER =
  'phone_number AS "phoneNumber", reason, source, created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"';

/** Finds the entry of a number, if it is the same and counts. */
export const FIND_SAME_ENTRY = statement<NewEntry, ListedNumber>(
  'find-same-do-not-call-entry',
  `
    SELECT ${LISTED_NUMBER}
    FROM do_not_call
    WHERE workspace_id = $workspaceId AND phone_number = $phoneNumber AND source = '${ENTRY_SOURCE.api}'
      AND (reason, created_by, expires_at)
        IS NOT DISTINCT FROM ($reason::text, $createdBy::jsonb, $expiresAt::timestamptz)
      AND ${IS_NOT_EXPIRED}`,
);

/** Finds those of the numbers that must not be called now. */
export const FIND_LISTED_NUMBERS = statement<
  { workspaceId: string; numbers: string[] },
  { phoneNumber: string }
>(
  'find-listed-do-not-call-numbers',
  `
    SELECT phone_number AS "phoneNumber" FROM do_not_call
    WHERE workspace_id = $workspaceId AND phone_number = ANY ($numbers) AND ${IS_NOT_EXPIRED}`,
);

export const LIST_NUMBER = statement<NewEntry, ListedNumber>(
  'list-do-not-call-number',
  `
    ${listNumbers(`
      SELECT $workspaceId::uuid AS workspace_id, $phoneNumber::text AS phone_number, $reason::text AS reason,
             '${ENTRY_SOURCE.api}' AS source, $createdBy::jsonb AS created_by, $expiresAt::timestamptz AS expires_at`)}
    RETURNING ${LISTED_NUMBER}`,
);

/** A text is an array in the form of Postgres. */
export type Numbers = string[] | string;

/** The statement that waits for claims, which are decided in a folder above. */
export abstract class ClaimsOfNumbers {
  /** Waits for the claims of calls to numbers that are being decided. */
  abstract readonly wait: Statement<{ workspaceId: string; numbers: Numbers }, object>;
}

export const DELETE_EXPIRED = statement<{ limit: number }, { phoneNumber: string }>(
  'delete-expired-do-not-call-entries',
  `
    DELETE FROM do_not_call
    WHERE (workspace_id, phone_number) IN (
      SELECT workspace_id, phone_number FROM do_not_call
      WHERE expires_at <= now() LIMIT $limit FOR UPDATE SKIP LOCKED)
      AND NOT ${IS_NOT_EXPIRED}
    RETURNING phone_number AS "phoneNumber"`,
);
