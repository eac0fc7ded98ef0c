import { Injectable } from '@nestjs/common';
import { AgentsService } from '../agents/agents.service';
import type { Caller } from '../http/access';
import { paginate } from '../http/pagination';
import type { CreateCampaignDto, ListCampaignsQuery } from './campaigns.dto';
import { campaignNotFound } from './campaigns.errors';
import { presentCampaign, presentCreatedCampaign, presentDetail } from './campaigns.presenter';
import { CampaignsRepository } from './campaigns.repository';
import { RecipientImport } from './recipient-import';

@Injectable()
export class CampaignsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly agents: AgentsService,
    private readonly recipients: RecipientImport,
  ) {}

  /**
   * @param abortSignal aborted when the client closes the connection
   * @throws 404 for the agent, 422 for the file, 403 for the quota, 503 if other imports take too long
   */
  async create({ workspaceId, userId }: Caller, form: CreateCampaignDto, abortSignal: AbortSignal) {
    const agent = await this.agents.findVariables(workspaceId, form.assistantId);
    const campaign = {
      workspaceId,
      agentId: agent.id,
      userId,
      name: form.campaignName,
      scheduleTime: form.scheduleTime ?? new Date(),
    };
    const file = { path: form.file.path, variableAliases: agent.names };
    return this.recipients.store(campaign, file, { present: presentCreatedCampaign, abortSignal });
  }

  async list(workspaceId: string, query: ListCampaignsQuery) {
    const { rows, total } = await this.campaigns.list(workspaceId, query);
    return paginate(rows.map(presentCampaign), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, campaignId: string) {
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    if (!campaign) throw campaignNotFound();
    return presentDetail(campaign, await this.campaigns.countCalls(workspaceId, campaign.id));
  }
}
