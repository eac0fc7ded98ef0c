import { literals } from '../../../platform/database/closed-list';
import { statement } from '../../../platform/database/statement';
import {
  type ContactResult,
  type ProgressKey,
  RECIPIENT_STATUS,
  RECIPIENT_STATUSES,
} from '../plan/campaign-status';
import { type Campaign, getCountColumn } from '../plan/campaign.entity';
import { decidedStatus, getOutcome, getResult } from './recipient-moves.sql';

/**
 * SQL: the progress of a recipient with a call as the API shows it, also before the runner has settled the call.
 * It is for rows `recipient`, `call` and `campaigns`.
 */
export const liveProgress = `
  CASE WHEN call.ended_at IS NULL OR recipient.status = '${RECIPIENT_STATUS.lost}' THEN call.status
       ELSE (SELECT CASE status WHEN '${RECIPIENT_STATUS.lost}' THEN call.status ELSE status END
             FROM (SELECT ${decidedStatus} AS status) AS decided) END`;

/** SQL: whether the call of a recipient decides on the progress of the recipient. */
export const HAS_LIVE_CALL = `recipient.status IN ('${RECIPIENT_STATUS.calling}', '${RECIPIENT_STATUS.lost}')`;

type Counts = Record<string, number>;

export interface CampaignSnapshot extends Pick<
  Campaign,
  'id' | 'status' | 'failureReason' | 'outcomes' | 'retryingOutcomes' | 'countVoicemail' | 'countInactivity'
> {
  asOf: Date;
  /** The number of all recipients by their stored status. */
  stored: Counts;
  /** The number of recipients with a live call, by their progress. */
  live: Counts | null;
  /** The outcomes of the recipients with a live call that has ended. */
  liveOutcomes: Counts | null;
  /** The outcomes of the recipients with a live call after which another one follows. */
  liveRetryingOutcomes: Counts | null;
  /** The results of the recipients with a live call that was connected and has ended. */
  liveResults: Partial<Record<ContactResult, number>> | null;
  /** The number of calls in the last minute, without calls that ended before a runtime claimed them. */
  callsLastMinute: number;
}

/**
 * SQL: counts the recipients of a campaign with a live call by a column, as an object.
 * @param progress counts only recipients with one of these; none: all of them
 */
const countLive = (column: string, ...progress: ProgressKey[]) => `
  (SELECT jsonb_object_agg(${column}, count) FROM (
     SELECT ${column}, count(*) AS count FROM live
     WHERE live.id = campaigns.id ${progress.length > 0 ? `AND progress IN (${literals(progress)})` : ''}
     GROUP BY ${column}) AS counted)`;

/** Reads one snapshot of each campaign, in which the counts add up. It reads the recipients in calls only. */
export const FIND_SNAPSHOTS = statement<{ workspaceId: string; campaignIds: string[] }, CampaignSnapshot>(
  'find-campaign-snapshots',
  `
    WITH live AS MATERIALIZED (
      SELECT campaigns.id, ${liveProgress} AS progress, ${getOutcome('call')} AS outcome,
             ${getResult('call.disconnect_reason')} AS result
      FROM campaigns
      JOIN campaign_recipients AS recipient ON recipient.campaign_id = campaigns.id AND ${HAS_LIVE_CALL}
      JOIN conversations AS call ON call.id = recipient.conversation_id
      WHERE campaigns.workspace_id = $workspaceId AND campaigns.id = ANY ($campaignIds)
    )
    SELECT id, now() AS "asOf", status, failure_reason AS "failureReason", outcomes,
           retrying_outcomes AS "retryingOutcomes", count_voicemail AS "countVoicemail",
           count_inactivity AS "countInactivity",
           jsonb_build_object(${RECIPIENT_STATUSES.map((status) => `'${status}', ${getCountColumn(status)}`).join(', ')}) AS stored,
           ${countLive('progress')} AS live,
           ${countLive('outcome', 'disconnected', 'failed')} AS "liveOutcomes",
           ${countLive('outcome', 'retrying')} AS "liveRetryingOutcomes",
           ${countLive('result', 'disconnected')} AS "liveResults",
           (SELECT count(*)::int FROM conversations
            WHERE conversations.workspace_id = $workspaceId AND created_at > now() - interval '1 minute'
              AND campaign_id = campaigns.id AND (ended_at IS NULL OR token IS NOT NULL)) AS "callsLastMinute"
    FROM campaigns WHERE workspace_id = $workspaceId AND id = ANY ($campaignIds)`,
);
