import type { CampaignLogEntryDto } from '../campaigns/api/campaign-steering.dto';
import type { CampaignDetailDto } from '../campaigns/api/campaigns.dto';
import { joinLines } from './page-lines';

const listCounts = (counts: object) => {
  const found = Object.entries(counts).filter(([, count]) => count !== 0);
  return found.length === 0 ? 'none' : found.map(([name, count]) => `${name} ${count}`).join(', ');
};

/** One page about a campaign: its state, why it waits, and what was done to it, newest first. */
export function explainCampaign(campaign: CampaignDetailDto, log: CampaignLogEntryDto[]): string {
  const { waiting, failureReason, estimated_end: end } = campaign;
  const lines = [
    `Campaign “${campaign.campaignName}” (${campaign.campaign_id}) of the agent ${campaign.assistantId}.`,
    `Status: ${campaign.status}. ${campaign.recipientCount} recipients: ${listCounts(campaign.progress)}.`,
    `Scheduled for ${campaign.scheduleTime.toISOString()}, time zone ${campaign.timezone}.`,
    waiting && `Waits since ${waiting.since.toISOString()}: ${waiting.reason}.`,
    waiting?.until && `Expected to go on at ${waiting.until.toISOString()}.`,
    failureReason && `Failed: ${failureReason}`,
    `${campaign.calls_last_minute} calls were started in the last minute, ${campaign.concurrency} at once at most.`,
    end && `Expected to end at ${end.toISOString()}.`,
    `Outcomes: ${listCounts(campaign.outcomes)}.`,
    '',
    '## What was done',
    ...(log.length === 0 ? ['Nothing yet.'] : log.map(({ at, text }) => `${at.toISOString()} ${text}`)),
  ];
  return joinLines(lines.filter((line) => typeof line === 'string'));
}
