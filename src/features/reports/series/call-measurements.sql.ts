import { QUARTER, getNextStart, getStart } from '../../calls/counts/call-rollups.sql';
import { unpreparedStatement, type Statement } from '../../../platform/database/statement';
import { ifGiven } from '../filter/call-filter.sql';
import { NO_CAMPAIGN } from '../measurements/measurement-rollup.entity';
import type { MeasurementGroup } from './call-measurements.dto';
import { getBucket, LABELS } from './call-series.sql';

export interface MeasurementParameters {
  workspaceId: string;
  bounds: Date[];
  createdFrom: Date | null;
  createdUntil: Date | null;
  agentId: string | null;
  agentVersion: number | null;
  campaignId: string | null;
  maxRows: number;
}

/** The sum of a measure in a bucket, numbered from 1, and a group, which is a place in the groups. */
export type MeasurementRow = [bucket: number, group: number, measure: string, amount: number];

export interface FoundMeasurements {
  asOf: Date;
  groups: { key: string | null; label: string | null }[];
  rows: MeasurementRow[];
}

const VALUES: Record<MeasurementGroup | 'all', string> = {
  all: `''`,
  agent: 'agent_id::text',
  agent_version: `agent_id || '/' || agent_version`,
  campaign: `CASE campaign_id WHEN '${NO_CAMPAIGN}' THEN '' ELSE campaign_id::text END`,
};

/** Makes the statement that sums the measures of quarters of an hour by bucket and group. */
const sumMeasurements = (
  group: MeasurementGroup | 'all',
): Statement<MeasurementParameters, FoundMeasurements> =>
  unpreparedStatement(
    `sum-call-measurements-by-${group.replace('_', '-')}`,
    `
    WITH summed AS MATERIALIZED (
      SELECT ${getBucket('starts_at')} AS bucket, ${VALUES[group]} AS value, measure, sum(amount)::float8 AS amount
      FROM measurement_rollups
      WHERE workspace_id = $workspaceId
        AND ${ifGiven('createdFrom', 'timestamptz', `starts_at >= ${getStart(QUARTER, '$createdFrom::timestamptz')}`)}
        AND ${ifGiven('createdUntil', 'timestamptz', `starts_at < ${getNextStart(QUARTER, `$createdUntil::timestamptz`)}`)}
        AND ${ifGiven('agentId', 'uuid', 'agent_id = $agentId')}
        AND ${ifGiven('agentVersion', 'integer', 'agent_version = $agentVersion')}
        AND ${ifGiven('campaignId', 'uuid', `campaign_id = $campaignId AND campaign_id <> '${NO_CAMPAIGN}'`)}
      GROUP BY 1, 2, 3 LIMIT $maxRows
    ), numbered AS MATERIALIZED (
      SELECT *, dense_rank() OVER (ORDER BY value COLLATE "C") - 1 AS number FROM summed
    ), series_group AS (
      SELECT DISTINCT number, NULLIF(value, '') AS key FROM numbered
    )
    SELECT now() AS "asOf",
           to_json(ARRAY(SELECT json_build_object('key', key, 'label', ${LABELS[group] ?? 'key'})
                         FROM series_group ORDER BY number)) AS groups,
           to_json(ARRAY(SELECT json_build_array(bucket, number, measure, amount) FROM numbered)) AS rows`,
  );

export const SUM_MEASUREMENTS: Record<MeasurementGroup | 'all', ReturnType<typeof sumMeasurements>> = {
  all: sumMeasurements('all'),
  agent: sumMeasurements('agent'),
  agent_version: sumMeasurements('agent_version'),
  campaign: sumMeasurements('campaign'),
};
