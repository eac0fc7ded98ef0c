import { byName } from '../database/closed-list';

/** In the order of a campaign's life; see campaign-transitions.sql.ts. */
export const CAMPAIGN_STATUSES = ['scheduled', 'running', 'completed', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];
export const CAMPAIGN_STATUS = byName(CAMPAIGN_STATUSES);

/** The statuses of a campaign that has not ended. */
export const OPEN_STATUSES = [CAMPAIGN_STATUS.scheduled, CAMPAIGN_STATUS.running] as const;
