import { statement } from '../database/statement';
import { RECIPIENT_STATUS, RECIPIENT_STATUSES } from './campaign-status';
import { type Campaign, countOf } from './campaign.entity';
import { decidedStatus, outcomeOf } from './recipient-moves.sql';

/**
 * SQL: where a recipient with a call is, as the API shows it, also before the runner has settled it. On rows
 * `recipient`, `call` and `campaigns`.
 */
export const liveProgress = `
  CASE WHEN call.ended_at IS NULL OR recipient.status = '${RECIPIENT_STATUS.lost}' THEN call.status
       ELSE (SELECT CASE status WHEN '${RECIPIENT_STATUS.lost}' THEN call.status ELSE status END
             FROM (SELECT ${decidedStatus} AS status) AS decided) END`;

/** SQL: whether the call of a recipient decides where the recipient is. */
export const HAS_LIVE_CALL = `recipient.status IN ('${RECIPIENT_STATUS.calling}', '${RECIPIENT_STATUS.lost}')`;

type Counts = Record<string, number>;

export interface CampaignSnapshot extends Pick<Campaign, 'id' | 'status' | 'failureReason' | 'outcomes'> {
  asOf: Date;
  /** Of all recipients by their stored status. */
  stored: Counts;
  /** Of those with a live call, by their progress. */
  live: Counts | null;
  /** Of those with a live call that has ended. */
  liveOutcomes: Counts | null;
  /** Without those that have ended before a runtime claimed them. */
  callsLastMinute: number;
}

/** Of each campaign, one snapshot, in which the counts add up. It reads the recipients in calls only. */
export const FIND_SNAPSHOTS = statement<{ workspaceId: string; campaignIds: string[] }, CampaignSnapshot>(
  'find-campaign-snapshots',
  `
    WITH live AS MATERIALIZED (
      SELECT campaigns.id, ${liveProgress} AS progress, ${outcomeOf('call')} AS outcome
      FROM campaigns
      JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id AND ${HAS_LIVE_CALL}
      JOIN conversations AS call ON call.id = recipient.conversation_id
      WHERE campaigns.workspace_id = $workspaceId AND campaigns.id = ANY ($campaignIds)
    )
    SELECT id, now() AS "asOf", status, failure_reason AS "failureReason", outcomes,
           jsonb_build_object(${RECIPIENT_STATUSES.map((status) => `'${status}', ${countOf(status)}`).join(', ')}) AS stored,
           (SELECT jsonb_object_agg(progress, count) FROM (
             SELECT progress, count(*) AS count FROM live WHERE live.id = campaigns.id GROUP BY progress) AS counted) AS live,
           (SELECT jsonb_object_agg(outcome, count) FROM (
             SELECT outcome, count(*) AS count FROM live WHERE live.id = campaigns.id AND progress IN ('disconnected', 'failed')
             GROUP BY outcome) AS counted) AS "liveOutcomes",
           (SELECT count(*)::int FROM conversations
            WHERE conversations.workspace_id = $workspaceId AND created_at > now() - interval '1 minute'
              AND campaign_id = campaigns.id AND (ended_at IS NULL OR token IS NOT NULL)) AS "callsLastMinute"
    FROM campaigns WHERE workspace_id = $workspaceId AND id = ANY ($campaignIds)`,
);
