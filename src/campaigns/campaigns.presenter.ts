import type { Campaign } from './campaign.entity';
import type {
  CampaignDetailDto,
  CampaignDto,
  CampaignProgressDto,
  CreatedCampaignDto,
} from './campaigns.dto';

export const presentCreated = (campaign: Campaign): CreatedCampaignDto => ({
  campaign_id: campaign.id,
  campaignName: campaign.name,
  assistantId: campaign.agentId,
  status: campaign.status,
  scheduleTime: campaign.scheduleTime,
  createdAt: campaign.createdAt,
});

export const presentCampaign = (campaign: Campaign): CampaignDto => ({
  ...presentCreated(campaign),
  recipientCount: campaign.recipientCount,
  updatedAt: campaign.updatedAt,
});

/** @param calls how many of its calls are in which state */
export function presentDetail(
  campaign: Campaign,
  calls: Partial<Omit<CampaignProgressDto, 'pending'>>,
): CampaignDetailDto {
  const begun = Object.values(calls).reduce((sum, count) => sum + count, 0);
  const none = { queued: 0, accepted: 0, connected: 0, disconnected: 0, failed: 0 };
  return {
    ...presentCampaign(campaign),
    progress: { pending: campaign.recipientCount - begun, ...none, ...calls },
    failureReason: campaign.failureReason,
  };
}
