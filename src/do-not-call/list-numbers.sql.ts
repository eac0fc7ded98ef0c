import { statement } from '../database/statement';
import { type DoNotCallEntry, ENTRY_SOURCE } from './do-not-call-entry.entity';
import { COUNTS } from './is-listed.sql';

/**
 * SQL: puts numbers on the lists of workspaces. The later entry of a number counts.
 * @param source SQL: rows of workspace_id, phone_number, reason, source and expires_at; each number of a workspace once
 */
export const listNumbers = (source: string) => `
  INSERT INTO do_not_call (workspace_id, phone_number, reason, source, expires_at)
  SELECT workspace_id, phone_number, reason, source, expires_at FROM (${source}) AS entry
  ORDER BY workspace_id, phone_number
  ON CONFLICT (workspace_id, phone_number) DO UPDATE
  SET reason = excluded.reason, source = excluded.source, expires_at = excluded.expires_at, created_at = now()`;

export type ListedNumber = Pick<
  DoNotCallEntry,
  'phoneNumber' | 'reason' | 'source' | 'createdAt' | 'expiresAt'
>;

type NewEntry = Pick<DoNotCallEntry, 'workspaceId' | 'phoneNumber' | 'reason' | 'expiresAt'>;

export const LIST_NUMBER = statement<NewEntry, ListedNumber>(
  'list-do-not-call-number',
  `
    ${listNumbers(`
      SELECT $workspaceId::uuid AS workspace_id, $phoneNumber::text AS phone_number, $reason::text AS reason,
             '${ENTRY_SOURCE.api}' AS source, $expiresAt::timestamptz AS expires_at`)}
    RETURNING phone_number AS "phoneNumber", reason, source, created_at AS "createdAt", expires_at AS "expiresAt"`,
);

/** The reasons are in the order of the numbers. Of a number that is there twice, the last one counts. */
export interface ImportedNumbers {
  workspaceId: string;
  numbers: string[];
  reasons: (string | null)[];
}

export const IMPORT_NUMBERS = statement<ImportedNumbers>(
  'import-do-not-call-numbers',
  listNumbers(`
    SELECT DISTINCT ON (phone_number) $workspaceId::uuid AS workspace_id, phone_number, reason,
           '${ENTRY_SOURCE.import}' AS source, NULL::timestamptz AS expires_at
    FROM unnest($numbers::text[], $reasons::text[]) WITH ORDINALITY AS imported (phone_number, reason, place)
    ORDER BY phone_number, place DESC`),
);

/**
 * Waits for the claims of calls that were decided before the numbers were listed. Every later one sees the entries: it
 * locks its call first, and reads the list after that. The states are of calls/, which imports this folder.
 */
export const WAIT_FOR_CLAIMS = statement<{ workspaceId: string; numbers: string[] }>(
  'wait-for-claims-of-listed-numbers',
  `
    SELECT id FROM conversations
    WHERE ended_at IS NULL AND status = 'queued' AND workspace_id = $workspaceId
      AND to_number = ANY ($numbers)
    ORDER BY id FOR SHARE`,
);

export const DELETE_EXPIRED = statement<{ limit: number }, { phoneNumber: string }>(
  'delete-expired-do-not-call-entries',
  `
    DELETE FROM do_not_call
    WHERE (workspace_id, phone_number) IN (
      SELECT workspace_id, phone_number FROM do_not_call
      WHERE expires_at <= now() LIMIT $limit FOR UPDATE SKIP LOCKED)
      AND NOT ${COUNTS}
    RETURNING phone_number AS "phoneNumber"`,
);
