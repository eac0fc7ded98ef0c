import type { Schemas } from '../../api/client';

type Listed = Schemas['ListedCampaignDto'];

export type Stage = Pick<Listed, 'status'> & Partial<Pick<Listed, 'progress'>>;

/** The number of recipients whom a cancelled campaign will not call any more. */
export const countLeft = ({ progress }: Stage) =>
  progress ? progress.pending + progress.retrying + progress.queued : 0;

/** Whether the counts of a campaign may change without an event. */
export const isMoving = (campaign: Stage) => campaign.status === 'running' || isBeingCancelled(campaign);

/** Whether the server is still removing the remaining recipients of a cancelled campaign. */
export const isBeingCancelled = (campaign: Stage) =>
  campaign.status === 'cancelled' && countLeft(campaign) > 0;
