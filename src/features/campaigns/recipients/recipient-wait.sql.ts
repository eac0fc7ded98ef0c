import { statement } from '../../../platform/database/statement';
import { isListed } from '../../do-not-call/is-listed.sql';
import { RECIPIENT_STATUS } from '../plan/campaign-status';
import type { WaitFacts } from './recipient-wait';

const later = (time: string) => `CASE WHEN ${time} > now() THEN NULLIF(${time}, 'infinity') END`;

export const FIND_WAIT_FACTS = statement<{ campaignId: string; phoneNumber: string }, WaitFacts>(
  'find-wait-of-recipient',
  `
    SELECT recipient.status IN ('${RECIPIENT_STATUS.pending}', '${RECIPIENT_STATUS.retrying}') AS "isWaiting",
           ${isListed('campaigns.workspace_id', 'recipient.phone_number')} AS "isListed",
           campaigns.status AS "campaignStatus",
           COALESCE(campaigns.expires_at <= now(), false) AS "hasExpired",
           ${later('campaigns.schedule_time')} AS "scheduleTime",
           ${later('recipient.next_attempt_at')} AS "retryAt",
           COALESCE(zone.opens_at > now() OR zone.closes_at <= now(), false) AS "isOutsideWindow",
           ${later('zone.opens_at')} AS "opensAt"
    FROM campaign_recipients AS recipient
    JOIN campaigns ON campaigns.id = recipient.campaign_id
    LEFT JOIN campaign_zones AS zone
      ON zone.campaign_id = recipient.campaign_id AND zone.timezone = recipient.timezone
    WHERE recipient.campaign_id = $campaignId AND recipient.phone_number = $phoneNumber`,
);
