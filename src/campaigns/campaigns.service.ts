import { Injectable } from '@nestjs/common';
import { uuidv7 } from 'uuidv7';
import { AgentsService } from '../agents/agents.service';
import type { Caller } from '../http/access';
import { likePattern } from '../database/like-pattern';
import { Sql } from '../database/sql';
import { InjectScoped, pageOf, WorkspaceScopedRepository } from '../database/workspace-scoped.repository';
import { COUNT_CALLS } from './campaign-progress.sql';
import { Campaign } from './campaign.entity';
import type { CreateCampaignDto, ListCampaignsQuery } from './campaigns.dto';
import { campaignNotFound } from './campaigns.errors';
import { presentCampaign, presentCreated, presentDetail } from './campaigns.presenter';
import { RecipientImport } from './recipient-import';

@Injectable()
export class CampaignsService {
  constructor(
    @InjectScoped(Campaign) private readonly campaigns: WorkspaceScopedRepository<Campaign>,
    private readonly agents: AgentsService,
    private readonly recipients: RecipientImport,
    private readonly sql: Sql,
  ) {}

  /** @throws 404 for the agent, 422 for the file, 503 where others take too long */
  async create({ workspaceId, userId }: Caller, form: CreateCampaignDto, { gone }: { gone: AbortSignal }) {
    const agent = await this.agents.findVariables(workspaceId, form.assistantId);
    const campaign = {
      id: uuidv7(),
      workspaceId,
      agentId: agent.id,
      userId,
      name: form.campaignName,
      status: 'scheduled' as const,
      scheduleTime: form.scheduleTime ?? new Date(),
    };
    const file = { path: form.file.path, spellings: agent.names, gone };
    return this.recipients.store(campaign, file, presentCreated);
  }

  async list(workspaceId: string, query: ListCampaignsQuery) {
    const rows = this.campaigns.query(workspaceId, 'campaign');
    const { search, status } = query;
    if (search !== undefined) rows.andWhere('campaign.name ILIKE :search', { search: likePattern(search) });
    if (status !== undefined) rows.andWhere('campaign.status = :status', { status });
    rows.orderBy('campaign.createdAt', 'DESC').addOrderBy('campaign.id', 'DESC');
    return pageOf(rows, query, presentCampaign);
  }

  /** @throws 404 */
  async get(workspaceId: string, campaignId: string) {
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    if (!campaign) throw campaignNotFound();
    const counts = await this.sql.run<{ status: string; count: number }>(COUNT_CALLS, [
      workspaceId,
      campaign.id,
    ]);
    return presentDetail(campaign, Object.fromEntries(counts.map(({ status, count }) => [status, count])));
  }
}
