import type { SortOrder } from '../../../platform/http/pagination';
import { isBetween } from './call-filter.sql';

/*
 * A slice is a time whose calls have been counted. A running count over the slices finds those of a page, and only
 * their calls are read. See decision 24.
 */

/**
 * SQL: the slices of the page that have calls, each with the number of calls `before` it in the list.
 * @param slices SQL: a table with the columns `starts_at` and `calls`
 * @param offset SQL: the number of calls before all of the slices
 */
export const slicesOnPage = (slices: string, order: SortOrder, offset = '0') => `
  SELECT * FROM (
    SELECT *, ${offset} + sum(calls) OVER (ORDER BY starts_at ${order}) - calls AS before FROM ${slices} WHERE calls > 0
  ) AS slice
  WHERE before < $offset::bigint + $limit::int AND before + calls > $offset`;

/**
 * SQL: the calls of the page, from the slices of `covering`.
 * @param columns the columns of `call`, which include `id` and `created_at`
 * @param condition SQL: whether a `call` is in the list
 */
export const callsOnPage = (columns: readonly string[], condition: string, order: SortOrder) => `
  SELECT call.*
  FROM covering CROSS JOIN LATERAL (
    SELECT ${columns.map((column) => `call.${column}`).join(', ')} FROM conversations AS call
    WHERE ${condition} AND ${isBetween('call.created_at', 'covering.starts_at', 'covering.ends_at')}
    ORDER BY call.created_at ${order}, call.id ${order}
    OFFSET GREATEST(0, $offset - before)::bigint LIMIT $limit) AS call
  ORDER BY call.created_at ${order}, call.id ${order} LIMIT $limit`;
