/** In the order of a campaign's life; see campaign-transitions.sql.ts. */
export const CAMPAIGN_STATUSES = ['scheduled', 'running', 'completed', 'failed'] as const;
export type CampaignStatus = (typeof CAMPAIGN_STATUSES)[number];

/** The statuses of a campaign that has not ended. */
export const OPEN_STATUSES = ['scheduled', 'running'] as const satisfies readonly CampaignStatus[];

/** Statuses as SQL, such as `'scheduled', 'running'`. */
export const statusLiterals = (...statuses: CampaignStatus[]) =>
  statuses.map((status) => `'${status}'`).join(', ');
