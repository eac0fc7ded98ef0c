import type { Dimension } from '../../calls/counts/call-dimensions';
import { countedOutcome, getValue } from '../../calls/counts/call-dimensions.sql';
import { inStatus, STATUS } from '../../calls/model/call-states';
import { type Statement, statement, unpreparedStatement } from '../../../platform/database/statement';
import type { CallFilter } from '../filter/call-filter';
import { IS_MATCH, isBetween } from '../filter/call-filter.sql';
import type { SeriesGroup, SeriesInterval } from './call-series.dto';
import { IS_WHOLE_SEGMENT, SEGMENT_SUMS, type SliceParameters } from '../filter/segment-slices.sql';

export interface BucketParameters {
  workspaceId: string;
  /** null: the series starts with the first call of the workspace */
  start: Date | null;
  startIsDay: boolean;
  /** null: the series ends now */
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

/** SQL: the first moment of a local time. A change of the clock may repeat an hour or leave one out. */
const getFirstMoment = (local: string) => `
  CASE WHEN (${local} AT TIME ZONE $timezone - interval '1 hour') AT TIME ZONE $timezone >= ${local}
       THEN ${local} AT TIME ZONE $timezone - interval '1 hour' ELSE ${local} AT TIME ZONE $timezone END`;

const LOCAL_START = `($start::timestamptz AT TIME ZONE 'UTC')`;
const LOCAL_END = `($end::timestamptz AT TIME ZONE 'UTC' + interval '1 day')`;

/**
 * Finds the bounds of the buckets. Hours are counted in absolute time; days, weeks from Monday and months are
 * those of the zone's clock.
 */
export const FIND_BUCKETS = statement<BucketParameters, FoundBuckets>(
  'find-buckets-of-call-series',
  `
    WITH asked AS MATERIALIZED (
      SELECT CASE WHEN $startIsDay::boolean THEN ${getFirstMoment(LOCAL_START)} ELSE $start END AS created_from,
             CASE WHEN $endIsDay::boolean THEN ${getFirstMoment(LOCAL_END)} - interval '1 millisecond'
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
      SELECT ${getFirstMoment('local')}
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
  /**
   * The number of groups, those with the most calls, that are counted by themselves; the others are counted as
   * one.
   */
  maxGroups: number;
  maxRows: number;
}

/** The sums over the calls of one bucket and group. */
export interface SeriesRow {
  /** The number of the bucket, from 1. */
  bucket: number;
  /** The place of the group in the order of their calls, from 1; `maxGroups + 1`: the other groups */
  group: number;
  calls: number;
  connected: number;
  failed: number;
  underWay: number;
  /** The connected calls that have ended. */
  ended: number;
  seconds: number;
  credits: number;
}

export interface FoundSeries {
  asOf: Date;
  /** The largest groups in the order of their calls. */
  groups: { key: string | null; label: string | null }[];
  /** The rows, at most `maxRows`. */
  rows: SeriesRow[];
}

/** SQL: the bounds between two buckets. */
const INNER_BOUNDS = `($bounds::timestamptz[])[2:cardinality($bounds::timestamptz[]) - 1]`;

/** SQL: the bucket of a time. A call that was accepted after the bounds were found belongs to the last one. */
export const getBucket = (time: string) => `(1 + width_bucket(${time}, ${INNER_BOUNDS}))`;

const COUNTS = `
  count(*) AS calls, count(*) FILTER (WHERE ${inStatus(STATUS.connected, STATUS.disconnected)}) AS connected,
  count(*) FILTER (WHERE ${inStatus(STATUS.failed)}) AS failed, count(*) FILTER (WHERE ended_at IS NULL) AS under_way,
  count(*) FILTER (WHERE ${inStatus(STATUS.disconnected)}) AS ended,
  COALESCE(sum(duration_sec) FILTER (WHERE ${inStatus(STATUS.disconnected)}), 0) AS seconds,
  COALESCE(sum(charge), 0) AS credits`;

const nameIn = (table: 'agents' | 'campaigns', id = 'key') =>
  `(SELECT name FROM ${table} WHERE id = ${id}::uuid AND workspace_id = $workspaceId)`;

export const LABELS: Partial<Record<Dimension, string>> = {
  agent: nameIn('agents'),
  agent_version: `${nameIn('agents', `split_part(key, '/', 1)`)} || ' v' || split_part(key, '/', 2)`,
  campaign: nameIn('campaigns'),
};

const SERIES_SUMS = ['calls', 'connected', 'failed', 'under_way', 'ended', 'seconds', 'credits'];

const getSums = (columns: readonly string[]) =>
  columns.map((column) => `sum(${column})::float8 AS ${column}`).join(', ');

/**
 * SQL: the part of a statement after the counts. Windows number the groups, because Postgres has no statistics of
 * what was counted, and could join it by nested loops.
 * @param counted SQL: a table with the columns bucket, value and those of {@link COUNTS}
 */
const getSeries = (counted: string, dimension: Dimension) => `
  , found AS (
    SELECT bucket, value, ${getSums(SERIES_SUMS)}
    FROM ${counted} AS counted GROUP BY bucket, value HAVING sum(calls) > 0
  ), weighed AS (
    SELECT *, sum(calls) OVER (PARTITION BY value) AS weight FROM found
  ), numbered AS MATERIALIZED (
    SELECT *, dense_rank() OVER (ORDER BY weight DESC, value COLLATE "C") AS number FROM weighed
  ), series_group AS (
    SELECT number, NULLIF(value, '') AS key FROM numbered WHERE number <= $maxGroups::int GROUP BY 1, 2
  ), series_row AS (
    SELECT bucket, LEAST(number, $maxGroups::int + 1) AS "group", ${getSums(SERIES_SUMS)}
    FROM numbered GROUP BY 1, 2 LIMIT $maxRows
  )
  SELECT now() AS "asOf",
         to_json(ARRAY(SELECT json_build_object('key', key, 'label', ${LABELS[dimension] ?? 'key'})
               FROM series_group ORDER BY number)) AS groups,
         to_json(ARRAY(SELECT json_build_object('bucket', bucket, 'group', "group", 'calls', calls, 'connected', connected,
                        'failed', failed, 'underWay', under_way, 'ended', ended, 'seconds', seconds, 'credits', credits)
               FROM series_row)) AS rows`;

/** SQL: a series of all calls that match. */
const readSeriesBy = (value: string, dimension: Dimension) => `
    WITH calls AS MATERIALIZED (
      SELECT ${getBucket('call.created_at')} AS bucket, ${value} AS value, ${COUNTS}
      FROM conversations AS call WHERE ${IS_MATCH} GROUP BY 1, 2
    )${getSeries('calls', dimension)}`;

/** Makes the statement that reads all calls that match. */
const readSeries = (dimension: Dimension): Statement<CallFilter & SeriesParameters, FoundSeries> =>
  unpreparedStatement(
    `read-call-series-by-${dimension.replace('_', '-')}`,
    readSeriesBy(getValue(dimension, 'call'), dimension),
  );

/** Reads all calls that match, by a finding. The version of a call may have asked for values that are long. */
export const READ_SERIES_BY_FINDING = unpreparedStatement<
  CallFilter & SeriesParameters & { finding: string },
  FoundSeries
>(
  'read-call-series-by-finding',
  readSeriesBy(
    countedOutcome(`COALESCE((
      SELECT answers ->> $finding FROM call_findings AS found WHERE found.conversation_id = call.id), '')`),
    'all',
  ),
);

/** SQL: the value of a segment. A server of an older version may have stored a whole outcome. */
const storedValue = (dimension: Dimension) => (dimension === 'outcome' ? countedOutcome('value') : 'value');

/**
 * Makes the statement that counts the calls of segments by their values, and reads those in no segment. A segment that
 * a bound cuts counts in the bucket of its longer part; the other calls of it are read, and moved. See decision 24.
 */
const countSeries = (dimension: Dimension): Statement<SliceParameters & SeriesParameters, FoundSeries> =>
  unpreparedStatement(
    `count-call-series-by-${dimension.replace('_', '-')}`,
    `
    WITH ${SEGMENT_SUMS}, cut AS MATERIALIZED (
      SELECT starts_at, ends_at, min(bound) AS bound,
             count(*) = 1 AND min(bound) - starts_at < ends_at - min(bound) AS is_next
      FROM unnest(${INNER_BOUNDS}) AS bound CROSS JOIN LATERAL (
        SELECT * FROM call_segments
        WHERE workspace_id = $workspaceId AND starts_at < bound ORDER BY starts_at DESC LIMIT 1) AS segment
      WHERE ${IS_WHOLE_SEGMENT} AND ends_at > bound GROUP BY 1, 2
    ), piece AS MATERIALIZED (
      SELECT CASE WHEN is_next THEN starts_at ELSE bound END AS starts_at,
             CASE WHEN is_next THEN bound ELSE ends_at END AS ends_at,
             ${getBucket('starts_at')} + is_next::int AS counted_in
      FROM cut
      UNION ALL
      SELECT starts_at, ends_at, NULL FROM slices
    ), read AS MATERIALIZED (
      SELECT counted_in, call.* FROM piece CROSS JOIN LATERAL (
        SELECT ${getBucket('call.created_at')} AS bucket, ${getValue(dimension, 'call')} AS value, ${COUNTS}
        FROM conversations AS call
        WHERE ${IS_MATCH} AND ${isBetween('call.created_at', 'piece.starts_at', 'piece.ends_at')}
        GROUP BY 1, 2) AS call
    ), counted AS MATERIALIZED (
      SELECT ${getBucket('starts_at')} + (starts_at IN (SELECT starts_at FROM cut WHERE is_next))::int AS bucket,
             ${storedValue(dimension)} AS value, sum(connected) + sum(failed) AS calls, sum(connected) AS connected,
             sum(failed) AS failed, 0 AS under_way, sum(connected) AS ended, sum(seconds) AS seconds,
             sum(credits) AS credits
      FROM sums GROUP BY 1, sums.value
      UNION ALL
      SELECT bucket, value, ${SERIES_SUMS.join(', ')} FROM read
      UNION ALL
      SELECT counted_in, value, ${SERIES_SUMS.map((sum) => `-${sum}`).join(', ')} FROM read WHERE counted_in IS NOT NULL
    )${getSeries('counted', dimension)}`,
  );

const byGroup = <Value>(make: (dimension: Dimension) => Value): Record<SeriesGroup | 'all', Value> => ({
  all: make('all'),
  agent: make('agent'),
  agent_version: make('agent_version'),
  outcome: make('outcome'),
  campaign: make('campaign'),
  direction: make('direction'),
  disconnect_reason: make('disconnect_reason'),
});

export const READ_SERIES = byGroup(readSeries);
export const COUNT_SERIES = byGroup(countSeries);
