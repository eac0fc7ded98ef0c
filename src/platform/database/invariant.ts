import { type Statement, unpreparedStatement } from './statement';

/** A row that contradicts an invariant. */
export interface Violation {
  workspaceId: string;
  /** The id of the row. */
  id: string;
  detail: string;
}

export interface CheckedPage {
  /** The number of rows that were checked. */
  checked: number;
  /** The id of the last of them; null: there were no more rows. */
  last: string | null;
  violations: Violation[];
}

/** Checks a page of rows. `workspaceId` null: the rows of all workspaces. `after`: the last id of the page before. */
export type InvariantStatement = Statement<{ workspaceId: string | null; after: string }, CheckedPage>;

/** The id of no row: the first page is after it. */
export const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Declares the check of an invariant.
 * @param rows SQL: `id`, `workspace_id` and `detail` of each row of a page; `detail` says what is wrong, or is NULL
 */
export const invariant = (name: string, rows: string): InvariantStatement =>
  unpreparedStatement(
    `check ${name}`,
    `
  WITH page AS MATERIALIZED (${rows})
  SELECT count(*)::int AS checked,
         (array_agg(id ORDER BY id DESC))[1] AS last,
         COALESCE(
           jsonb_agg(jsonb_build_object('workspaceId', workspace_id, 'id', id, 'detail', detail) ORDER BY id)
             FILTER (WHERE detail IS NOT NULL),
           '[]') AS violations
  FROM page`,
  );

/** SQL: a page of the rows of a table, in the order of their ids. */
export const pageOfRows = (table: string, rows: number, workspace = 'workspace_id') => `
  SELECT * FROM ${table}
  WHERE id > $after AND ($workspaceId::uuid IS NULL OR ${workspace} = $workspaceId)
  ORDER BY id LIMIT ${rows}`;
