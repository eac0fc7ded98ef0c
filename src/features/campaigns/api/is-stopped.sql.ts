import { literals } from '../../../platform/database/closed-list';
import { CAMPAIGN_STATUS } from '../plan/campaign-status';

/**
 * SQL: whether the campaign of a call was paused or cancelled, which takes its queued calls back.
 * @param call SQL: a row of `conversations`
 */
export const isCampaignStopped = (call: string) =>
  `(SELECT status FROM campaigns WHERE campaigns.id = ${call}.campaign_id)
    IN (${literals([CAMPAIGN_STATUS.paused, CAMPAIGN_STATUS.cancelled])})`;
