import { Inject, Injectable } from '@nestjs/common';
import { AgentsService } from '../agents/agents.service';
import { CONFIG, type Config } from '../config';
import type { Caller } from '../http/access';
import { paginate } from '../http/pagination';
import type { CreateCampaignDto } from './campaign-form.dto';
import type { CampaignDetailDto, ListCampaignsQuery } from './campaigns.dto';
import { CAMPAIGN_STATUS } from './campaign-status';
import { DEFAULT_TIMEZONE } from './campaign.entity';
import { campaignNotFound, expiresTooEarly } from './campaigns.errors';
import {
  presentCampaign,
  presentCreatedCampaign,
  presentDetail,
  presentValidation,
} from './campaigns.presenter';
import { CampaignsRepository } from './campaigns.repository';
import { RecipientImport } from './recipient-import';
import { storedRetry } from './retry-policy';

@Injectable()
export class CampaignsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly agents: AgentsService,
    private readonly recipients: RecipientImport,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  /**
   * @param abortSignal aborted when the client closes the connection
   * @throws 404 for the agent, 422 for the file, 403 for the quota, 503 if other imports take too long
   */
  async create({ workspaceId, userId }: Caller, form: CreateCampaignDto, abortSignal: AbortSignal) {
    if (isTooEarly(form)) throw expiresTooEarly();
    const agent = await this.agents.findVariables(workspaceId, form.assistantId);
    const campaign = {
      workspaceId,
      agentId: agent.id,
      userId,
      name: form.campaignName,
      scheduleTime: form.scheduleTime ?? new Date(),
      timezone: form.timezone ?? DEFAULT_TIMEZONE,
      windows: form.windows ?? [],
      concurrency: form.concurrency ?? null,
      callsPerSecond: form.callsPerSecond ?? null,
      retry: storedRetry(form.retry),
      webhookUrl: form.webhookUrl ?? '',
      expiresAt: form.expiresAt ?? null,
    };
    const file = { path: form.file.path, variableAliases: agent.names };
    return this.recipients.store(campaign, file, { present: presentCreatedCampaign, abortSignal });
  }

  /** What {@link create} would do with this form. Nothing is stored. */
  async validate({ workspaceId }: Caller, form: CreateCampaignDto, abortSignal: AbortSignal) {
    if (isTooEarly(form)) throw expiresTooEarly();
    const agent = await this.agents.findVariables(workspaceId, form.assistantId);
    const file = { path: form.file.path, variableAliases: agent.names };
    return presentValidation(await this.recipients.check(workspaceId, file, abortSignal), agent);
  }

  async list(workspaceId: string, query: ListCampaignsQuery) {
    const { rows, total } = await this.campaigns.list(workspaceId, query);
    return paginate(rows.map(presentCampaign), query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, campaignId: string): Promise<CampaignDetailDto> {
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    const snapshot = campaign && (await this.campaigns.findSnapshot(workspaceId, campaign.id));
    if (!snapshot) throw campaignNotFound();
    const { CAMPAIGN_CONCURRENCY: campaignConcurrency, WORKSPACE_CONCURRENCY: workspaceConcurrency } =
      this.config;
    const limits = { campaignConcurrency, workspaceConcurrency };
    const isRunning = snapshot.status === CAMPAIGN_STATUS.running;
    const waiting = isRunning ? await this.campaigns.findWaiting(campaign.id, limits) : null;
    return presentDetail(campaign, snapshot, { waiting, defaultConcurrency: campaignConcurrency });
  }
}

const isTooEarly = ({ expiresAt, scheduleTime }: CreateCampaignDto) =>
  expiresAt !== undefined && expiresAt.getTime() <= Math.max(Date.now(), scheduleTime?.getTime() ?? 0);
