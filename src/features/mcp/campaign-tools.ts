import { Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { AuditAction } from '../../accounts/audit/audit-actions';
import { PageQuery } from '../../platform/http/pagination';
import { CampaignRecipientsService } from '../campaigns/api/campaign-recipients.service';
import { CampaignSteeringService } from '../campaigns/api/campaign-steering.service';
import { type CampaignDetailDto, ListCampaignsQuery } from '../campaigns/api/campaigns.dto';
import { CampaignsService } from '../campaigns/api/campaigns.service';
import { CAMPAIGN_STATUSES } from '../campaigns/plan/campaign-status';
import { explainCampaign } from './campaign-explanation';
import { campaignId, limit, time } from './fields';
import { toQuery } from '../../platform/http/to-dto';
import { defineTool, type Tool, type ToolChange, type ToolSet } from './tool';

const campaign = z.looseObject({
  campaign_id: z.string(),
  campaignName: z.string(),
  assistantId: z.string(),
  status: z.string(),
  scheduleTime: time,
  recipientCount: z.number(),
});

/** A second call is refused by the status of the campaign. */
const steered = {
  input: z.strictObject({ campaign_id: campaignId }),
  output: z.object({ campaign }),
  isIdempotent: true,
};

/** The transaction returns the name of the campaign. */
const records = (action: AuditAction): ToolChange<{ campaign_id: string }> => ({
  action,
  findTarget: ({ campaign_id }, name) => ({ id: campaign_id, name: name as string }),
});

const plain = (value: object) => JSON.parse(JSON.stringify(value)) as never;

const show = (found: CampaignDetailDto) => ({ structured: { campaign: plain(found) } });

/** Tools that read, pause and resume campaigns. */
@Injectable()
export class CampaignTools implements ToolSet {
  readonly tools: Tool[] = [
    defineTool({
      name: 'list_campaigns',
      title: 'List campaigns',
      description: 'Lists the campaigns, newest first, with their progress and why they wait.',
      input: z.strictObject({
        status: z.enum(CAMPAIGN_STATUSES).optional().describe('Only campaigns with this status.'),
        limit,
      }),
      output: z.object({ campaigns: z.array(campaign), total: z.number() }),
      reach: 'workspace',
      run: async (args, { caller }) => {
        const query = await toQuery(ListCampaignsQuery, { ...args, include: 'progress' });
        const { data, pagination } = await this.campaigns.list(caller.workspaceId, query);
        return { structured: { campaigns: plain(data), total: pagination.total } };
      },
    }),
    defineTool({
      name: 'explain_campaign',
      title: 'Explain a campaign',
      description:
        'Returns the state of a campaign: its progress and outcomes, why it waits, and what was done to it, also as one ' +
        'page of text. Use it if a campaign does not call.',
      input: z.strictObject({ campaign_id: campaignId }),
      output: z.object({ campaign, text: z.string() }),
      reach: 'workspace',
      run: async ({ campaign_id }, { caller }) => {
        const found = await this.campaigns.get(caller.workspaceId, campaign_id);
        const page = await toQuery(PageQuery, { limit: 50 });
        const { data: log } = await this.recipients.listLog(caller.workspaceId, campaign_id, page);
        const text = explainCampaign(found, log);
        return { structured: { campaign: plain(found), text }, text };
      },
    }),
    defineTool({
      ...steered,
      name: 'pause_campaign',
      title: 'Pause a campaign',
      description:
        'From the answer on, the campaign places no further call. Calls that nobody has taken are taken back; those that ' +
        'runtimes have go on. resume_campaign continues it.',
      reach: 'workspace',
      change: records('campaign.paused'),
      run: async ({ campaign_id }, { caller }) =>
        show(await this.steering.pause(caller.workspaceId, campaign_id)),
    }),
    defineTool({
      ...steered,
      name: 'resume_campaign',
      title: 'Resume a campaign',
      description: 'Continues a paused campaign: it dials recipients again, which costs credits.',
      reach: 'workspace',
      change: records('campaign.resumed'),
      isDestructive: true,
      run: async ({ campaign_id }, { caller }) =>
        show(await this.steering.resume(caller.workspaceId, campaign_id)),
    }),
  ];

  constructor(
    private readonly campaigns: CampaignsService,
    private readonly recipients: CampaignRecipientsService,
    private readonly steering: CampaignSteeringService,
  ) {}
}
