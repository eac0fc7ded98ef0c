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

/** Requires the campaign's lock. */
export const NEXT_RECIPIENTS = statement<NextRecipients, NextRecipient>(
  'next-campaign-recipients',
  `
    SELECT phone_number AS "phoneNumber", customer_name AS "customerName", dynamic_variables AS "dynamicVariables"
    FROM campaign_recipients WHERE campaign_id = $campaignId AND conversation_id IS NULL
    ORDER BY row_number
    LIMIT LEAST($limit, GREATEST(0, $campaignConcurrency - ${callsInProgress('$campaignId')}))`,
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
