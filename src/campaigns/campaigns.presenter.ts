import type { Campaign } from './campaign.entity';
import type { CampaignDetailDto, CampaignDto, CreatedCampaignDto } from './campaigns.dto';
import type { CallCount } from './campaigns.repository';

export const presentCreatedCampaign = (campaign: Campaign): CreatedCampaignDto => ({
  campaign_id: campaign.id,
  campaignName: campaign.name,
  assistantId: campaign.agentId,
  status: campaign.status,
  scheduleTime: campaign.scheduleTime,
  createdAt: campaign.createdAt,
});

export const presentCampaign = (campaign: Campaign): CampaignDto => ({
  ...presentCreatedCampaign(campaign),
  recipientCount: campaign.recipientCount,
  updatedAt: campaign.updatedAt,
});

export function presentDetail(campaign: Campaign, calls: CallCount[]): CampaignDetailDto {
  const called = calls.reduce((sum, { count }) => sum + count, 0);
  const none = { queued: 0, accepted: 0, connected: 0, disconnected: 0, failed: 0 };
  return {
    ...presentCampaign(campaign),
    progress: {
      pending: campaign.recipientCount - called,
      ...none,
      ...Object.fromEntries(calls.map(({ status, count }) => [status, count])),
    },
    failureReason: campaign.failureReason,
  };
}
