import { DAY, getStart } from '../../calls/counts/call-rollups.sql';
import { type DayOfWorkspace, isOfDay } from '../../calls/counts/check-rollups.sql';
import { statement } from '../../../platform/database/statement';
import type { MeasurementKey } from './call-measurement.entity';

export const FIND_MEASURED_DAYS = statement<{ workspaceId: string }, { day: Date }>(
  'find-days-of-measurements',
  `
    SELECT generate_series(${getStart(DAY, 'min(first)')}, max(last), interval '24 hours') AS day
    FROM (
      SELECT min(created_at) AS first, max(created_at) AS last FROM conversations WHERE workspace_id = $workspaceId
      UNION ALL
      SELECT min(starts_at), max(starts_at) FROM measurement_rollups WHERE workspace_id = $workspaceId
    ) AS times`,
);

/** A sum that is not that of its calls. The amounts are texts: they may be larger than a number. */
export interface MeasurementDifference extends MeasurementKey {
  measure: string;
  stored: string;
  counted: string;
}

const KEY = 'workspace_id, starts_at, agent_id, agent_version, campaign_id, measure';

/** Compares the sums of a day with those of its calls, from one snapshot. */
export const CHECK_MEASUREMENTS = statement<DayOfWorkspace, MeasurementDifference>(
  'check-measurements-of-day',
  `
    WITH counted AS MATERIALIZED (
      SELECT measured.workspace_id, starts_at, measured.agent_id, measured.agent_version, measured.campaign_id, measure,
             sum(value::bigint) AS amount
      FROM conversations AS call JOIN call_measurements AS measured ON measured.conversation_id = call.id
      CROSS JOIN LATERAL jsonb_each_text(amounts) AS counted (measure, value)
      WHERE call.workspace_id = $workspaceId AND ${isOfDay('call.created_at')}
      GROUP BY 1, 2, 3, 4, 5, 6
    ), stored AS MATERIALIZED (
      SELECT * FROM measurement_rollups WHERE workspace_id = $workspaceId AND ${isOfDay('starts_at')}
    )
    SELECT workspace_id AS "workspaceId", starts_at AS "startsAt", agent_id AS "agentId",
           agent_version AS "agentVersion", campaign_id AS "campaignId", measure,
           COALESCE(stored.amount, 0)::text AS stored, COALESCE(counted.amount, 0)::text AS counted
    FROM counted FULL JOIN stored USING (${KEY})
    WHERE COALESCE(stored.amount, 0) <> COALESCE(counted.amount, 0)
    ORDER BY ${KEY}`,
);
