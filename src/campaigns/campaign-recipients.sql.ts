import { statement } from '../database/statement';
import { callsInProgress } from './campaign-progress.sql';
import type { CampaignRecipient } from './campaign-recipient.entity';

export type NextRecipient = Pick<CampaignRecipient, 'phoneNumber' | 'customerName' | 'dynamicVariables'>;

export interface NextRecipients {
  campaignId: string;
  limit: number;
  /** Calls in progress of the campaign. */
  campaignConcurrency: number;
}

/** Of the variables of one batch, as they are stored. A batch has one recipient at least. */
const MAX_STORED_BYTES = 256 * 1024;

/** Requires the campaign's lock. */
export const NEXT_RECIPIENTS = statement<NextRecipients, NextRecipient>(
  'next-campaign-recipients',
  `
    WITH next AS (
      SELECT row_number, phone_number, customer_name, dynamic_variables
      FROM campaign_recipients WHERE campaign_id = $campaignId AND conversation_id IS NULL
      ORDER BY row_number
      LIMIT LEAST($limit, GREATEST(0, $campaignConcurrency - ${callsInProgress('$campaignId')}))
    ), sized AS (
      SELECT *, sum(pg_column_size(dynamic_variables)) OVER (ORDER BY row_number ROWS UNBOUNDED PRECEDING)
                - pg_column_size(dynamic_variables) AS bytes_before
      FROM next
    )
    SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables"
    FROM sized WHERE bytes_before < ${MAX_STORED_BYTES} ORDER BY row_number`,
);

/** The ids of the conversations are in the order of the numbers. */
export interface CalledRecipients {
  campaignId: string;
  numbers: string[];
  conversationIds: string[];
}

export const MARK_CALLED = statement<CalledRecipients, { phoneNumber: string }>(
  'mark-recipients-called',
  `
    UPDATE campaign_recipients SET conversation_id = called.conversation_id
    FROM unnest($numbers::text[], $conversationIds::uuid[]) AS called (phone_number, conversation_id)
    WHERE campaign_id = $campaignId AND campaign_recipients.phone_number = called.phone_number
      AND campaign_recipients.conversation_id IS NULL
    RETURNING campaign_recipients.phone_number AS "phoneNumber"`,
);
