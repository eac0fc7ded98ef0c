import { statement } from '../../../platform/database/statement';
import { RECIPIENT_STATUS } from '../plan/campaign-status';

/** SQL: whether a row `recipient` has a number. An erased one has a placeholder, because the key needs a value. */
export const IS_NUMBER = `recipient.phone_number LIKE '+%'`;

/** The number of campaigns that one statement finds. */
const MAX_CAMPAIGNS = 100;

/**
 * Finds the campaigns of a workspace that have a recipient with this number, without campaigns in which the
 * recipient's last call is in progress. It looks up the primary key in each campaign.
 */
export const FIND_CAMPAIGNS_OF_NUMBER = statement<
  { workspaceId: string; phoneNumber: string },
  { id: string }
>(
  'find-campaigns-of-number',
  `
    SELECT campaigns.id
    FROM campaigns CROSS JOIN LATERAL (
      SELECT FROM campaign_recipients
      WHERE campaign_id = campaigns.id AND phone_number = $phoneNumber
        AND NOT (removed AND status = '${RECIPIENT_STATUS.calling}') LIMIT 1
    ) AS recipient
    WHERE workspace_id = $workspaceId ORDER BY campaigns.id LIMIT ${MAX_CAMPAIGNS}`,
);

export const HAS_RECIPIENT = statement<
  { workspaceId: string; phoneNumber: string },
  { hasRecipient: boolean }
>(
  'has-recipient-with-number',
  `
    SELECT EXISTS (
      SELECT FROM campaigns CROSS JOIN LATERAL (
        SELECT FROM campaign_recipients
        WHERE campaign_id = campaigns.id AND phone_number = $phoneNumber LIMIT 1
      ) AS recipient
      WHERE workspace_id = $workspaceId) AS "hasRecipient"`,
);

/**
 * Erases the data of a recipient but the row in the file, the state and the counts. It requires the lock of the
 * campaign.
 */
export const ERASE_RECIPIENT = statement<{ campaignId: string; phoneNumber: string }>(
  'erase-recipient',
  `
    UPDATE campaign_recipients
    SET phone_number = '#' || row_number, customer_name = '', dynamic_variables = '{}', removed = true
    WHERE campaign_id = $campaignId AND phone_number = $phoneNumber`,
);

/** Finds the campaigns in the order of their ids, in which they are locked. */
export const FIND_CAMPAIGNS_OF_CALLS = statement<{ conversationIds: string[] }, { id: string }>(
  'find-campaigns-of-calls',
  `SELECT DISTINCT campaign_id AS id FROM campaign_recipients
   WHERE conversation_id = ANY ($conversationIds) ORDER BY campaign_id`,
);
