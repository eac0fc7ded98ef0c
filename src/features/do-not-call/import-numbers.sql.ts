import { statement } from '../../platform/database/statement';
import type { Actor } from '../../platform/http/actor';
import { ENTRY_SOURCE } from './do-not-call-entry.entity';
import { isListed } from './is-listed.sql';
import { listNumbers } from './list-numbers.sql';

/** Creates the stage, which exists until the end of the transaction that imports a file. */
export const CREATE_STAGE = statement(
  'create-do-not-call-stage',
  `
    CREATE TEMPORARY TABLE do_not_call_stage (row_number integer NOT NULL, phone_number text NOT NULL, reason text)
    ON COMMIT DROP`,
);

export const COPY_INTO_STAGE = 'COPY do_not_call_stage FROM STDIN';

export interface StagedNumbers {
  count: number;
  /** The number of those that are on the list already. */
  listed: number;
  /** The numbers as Postgres writes an array. The server passes it back and does not parse it. */
  numbers: string;
}

/** Finds the staged numbers, each once. */
export const FIND_STAGED = statement<{ workspaceId: string }, StagedNumbers>(
  'find-staged-do-not-call-numbers',
  `
    SELECT count(*)::int AS count,
           count(*) FILTER (WHERE ${isListed('$workspaceId::uuid', 'staged.phone_number')})::int AS listed,
           COALESCE(array_agg(phone_number), '{}')::text AS numbers
    FROM (SELECT DISTINCT phone_number FROM do_not_call_stage) AS staged`,
);

/** Lists the staged numbers. If a number is there twice, the last row counts. */
export const LIST_STAGED = statement<{ workspaceId: string; createdBy: Actor | null }>(
  'list-staged-do-not-call-numbers',
  listNumbers(`
    SELECT DISTINCT ON (phone_number) $workspaceId::uuid AS workspace_id, phone_number, reason,
           '${ENTRY_SOURCE.import}' AS source, $createdBy::jsonb AS created_by, NULL::timestamptz AS expires_at
    FROM do_not_call_stage ORDER BY phone_number, row_number DESC`),
);
