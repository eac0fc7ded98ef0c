import type { Dimension } from '../calls/call-dimensions';
import { valueOf } from '../calls/call-dimensions.sql';
import { inStatus, STATUS } from '../calls/call-states';
import { type Statement, statement } from '../database/statement';
import type { CallFilter } from './call-filter';
import { IS_MATCH } from './call-filter.sql';
import type { SeriesGroup, SeriesInterval } from './call-series.dto';
import { IS_WHOLE_SEGMENT, SEGMENT_SUMS, type SliceParameters } from './segment-slices.sql';

export interface BucketParameters {
  workspaceId: string;
  /** null: the first call of the workspace */
  start: Date | null;
  startIsDay: boolean;
  /** null: now */
  end: Date | null;
  endIsDay: boolean;
  interval: SeriesInterval;
  timezone: string;
  maxBuckets: number;
}

export interface FoundBuckets {
  createdFrom: Date | null;
  createdUntil: Date | null;
  /** The start of each bucket, and the end of the last; null: there are too many */
  bounds: Date[] | null;
}

/** SQL: the first moment of a local time, of which a change of the clock may repeat an hour or leave one out. */
const firstMomentOf = (local: string) => `
  CASE WHEN (${local} AT TIME ZONE $timezone - interval '1 hour') AT TIME ZONE $timezone >= ${local}
       THEN ${local} AT TIME ZONE $timezone - interval '1 hour' ELSE ${local} AT TIME ZONE $timezone END`;

const LOCAL_START = `($start::timestamptz AT TIME ZONE 'UTC')`;
const LOCAL_END = `($end::timestamptz AT TIME ZONE 'UTC' + interval '1 day')`;

/** Hours are counted in absolute time; days, weeks from Monday and months are those of the zone's clock. */
export const FIND_BUCKETS = statement<BucketParameters, FoundBuckets>(
  'find-buckets-of-call-series',
  `
    WITH asked AS MATERIALIZED (
      SELECT CASE WHEN $startIsDay::boolean THEN ${firstMomentOf(LOCAL_START)} ELSE $start END AS created_from,
             CASE WHEN $endIsDay::boolean THEN ${firstMomentOf(LOCAL_END)} - interval '1 millisecond'
                  ELSE $end END AS created_until, ('1 ' || $interval::text)::interval AS step
    ), span AS MATERIALIZED (
      SELECT *, COALESCE(created_from,
                  (SELECT min(created_at) FROM conversations WHERE workspace_id = $workspaceId), now()) AS first,
             COALESCE(created_until, now()) AS last
      FROM asked
    ), bound AS (
      SELECT date_trunc('hour', first, $timezone) + number * step AS time
      FROM span CROSS JOIN generate_series(0, $maxBuckets::int + 1) AS number
      WHERE $interval = 'hour' AND first <= last AND date_trunc('hour', first, $timezone) + (number - 1) * step <= last
      UNION
      SELECT ${firstMomentOf('local')}
      FROM span CROSS JOIN LATERAL (
        SELECT date_trunc($interval, first AT TIME ZONE $timezone) + number * step AS local,
               date_trunc($interval, last AT TIME ZONE $timezone) + step AS last_local
        FROM generate_series(0, $maxBuckets::int + 1) AS number) AS series
      WHERE $interval <> 'hour' AND first <= last AND local <= last_local
    )
    SELECT created_from AS "createdFrom", created_until AS "createdUntil",
           CASE WHEN (SELECT count(*) FROM bound) <= $maxBuckets::int + 1
                THEN ARRAY(SELECT time FROM bound ORDER BY time) END AS bounds
    FROM span`,
);

export interface SeriesParameters {
  bounds: Date[];
  maxRows: number;
}

/** The sums over the calls of one bucket and group. */
export interface SeriesRow {
  asOf: Date;
  /** Counted from 1; null: there is no call */
  bucket: number | null;
  key: string | null;
  label: string | null;
  calls: number;
  connected: number;
  failed: number;
  underWay: number;
  /** Of those that were connected. */
  ended: number;
  seconds: number;
  credits: number;
}

/** SQL: the bucket of a time. A call that was accepted after the bounds were found belongs to the last one. */
const bucketOf = (time: string) => `
  GREATEST(1, LEAST(cardinality($bounds::timestamptz[]) - 1, width_bucket(${time}, $bounds::timestamptz[])))`;

const COUNTS = `
  count(*) AS calls, count(*) FILTER (WHERE ${inStatus(STATUS.connected, STATUS.disconnected)}) AS connected,
  count(*) FILTER (WHERE ${inStatus(STATUS.failed)}) AS failed, count(*) FILTER (WHERE ended_at IS NULL) AS under_way,
  count(*) FILTER (WHERE ${inStatus(STATUS.disconnected)}) AS ended,
  COALESCE(sum(duration_sec) FILTER (WHERE ${inStatus(STATUS.disconnected)}), 0) AS seconds,
  COALESCE(sum(charge), 0) AS credits`;

const LABELS: Partial<Record<Dimension, string>> = {
  agent: '(SELECT name FROM agents WHERE id::text = key AND workspace_id = $workspaceId)',
  campaign: '(SELECT name FROM campaigns WHERE id::text = key AND workspace_id = $workspaceId)',
};

const sum = (column: string) => `sum(${column})::float8`;

/** @param counted SQL: a table with the columns bucket, value and those of {@link COUNTS} */
const seriesOf = (counted: string, dimension: Dimension) => `
  , found AS MATERIALIZED (
    SELECT bucket, NULLIF(value, '') AS key, ${sum('calls')} AS calls, ${sum('connected')} AS connected,
           ${sum('failed')} AS failed, ${sum('under_way')} AS "underWay", ${sum('ended')} AS ended, ${sum('seconds')} AS seconds,
           ${sum('credits')} AS credits
    FROM ${counted} AS counted GROUP BY 1, 2 HAVING sum(calls) > 0 LIMIT $maxRows
  ), label AS MATERIALIZED (
    SELECT key, ${LABELS[dimension] ?? 'key'} AS label FROM (SELECT DISTINCT key FROM found) AS keys
  )
  SELECT now() AS "asOf", found.*, label
  FROM (VALUES (1)) AS one LEFT JOIN found ON true LEFT JOIN label ON label.key = found.key`;

/** Reads all calls that match. */
const readSeries = (dimension: Dimension): Statement<CallFilter & SeriesParameters, SeriesRow> =>
  statement(
    '',
    `
    WITH calls AS MATERIALIZED (
      SELECT ${bucketOf('call.created_at')} AS bucket, ${valueOf(dimension, 'call')} AS value, ${COUNTS}
      FROM conversations AS call WHERE ${IS_MATCH} GROUP BY 1, 2
    )${seriesOf('calls', dimension)}`,
  );

/**
 * Counts the calls of the segments that are whole in a bucket by their values, and reads the others: those of segments
 * that a bucket cuts, and those in no segment. See decision 28.
 */
const countSeries = (dimension: Dimension): Statement<SliceParameters & SeriesParameters, SeriesRow> =>
  statement(
    '',
    `
    WITH ${SEGMENT_SUMS}, placed AS MATERIALIZED (
      SELECT starts_at, ends_at, ${bucketOf('starts_at')} AS bucket,
             ${bucketOf('starts_at')} = ${bucketOf(`(ends_at - interval '1 millisecond')`)} AS is_whole
      FROM call_segments WHERE ${IS_WHOLE_SEGMENT}
    ), piece AS MATERIALIZED (
      SELECT starts_at, ends_at FROM placed WHERE NOT is_whole
      UNION ALL
      SELECT starts_at, ends_at FROM slices
    ), counted AS MATERIALIZED (
      SELECT bucket, value, connected + failed AS calls, connected, failed, 0 AS under_way, connected AS ended,
             seconds, credits
      FROM sums JOIN placed USING (starts_at) WHERE is_whole
      UNION ALL
      SELECT call.* FROM piece CROSS JOIN LATERAL (
        SELECT ${bucketOf('call.created_at')} AS bucket, ${valueOf(dimension, 'call')} AS value, ${COUNTS}
        FROM conversations AS call
        WHERE ${IS_MATCH} AND call.created_at >= piece.starts_at AND call.created_at < piece.ends_at
        GROUP BY 1, 2) AS call
    )${seriesOf('counted', dimension)}`,
  );

const byGroup = <Value>(make: (dimension: Dimension) => Value): Record<SeriesGroup | 'all', Value> => ({
  all: make('all'),
  agent: make('agent'),
  outcome: make('outcome'),
  campaign: make('campaign'),
  direction: make('direction'),
  disconnect_reason: make('disconnect_reason'),
});

export const READ_SERIES = byGroup(readSeries);
export const COUNT_SERIES = byGroup(countSeries);
