import { Inject, Injectable } from '@nestjs/common';
import { AgentsService } from '../../agents/agents.service';
import { CONFIG, type Config } from '../../../config';
import type { Caller } from '../../../platform/http/access';
import { paginate } from '../../../platform/http/pagination';
import type { CreateCampaignDto } from '../recipients-file/campaign-form.dto';
import type { CampaignDetailDto, ListCampaignsQuery } from './campaigns.dto';
import { CAMPAIGN_STATUS } from '../plan/campaign-status';
import { DEFAULT_TIMEZONE } from '../plan/campaign.entity';
import { campaignNotFound, expiresTooEarly } from '../plan/campaigns.errors';
import {
  presentCampaign,
  presentCreatedCampaign,
  presentDetail,
  presentListedCampaign,
  presentValidation,
} from './campaigns.presenter';
import { type CampaignSnapshot, CampaignsRepository, type Waiting } from '../running/campaigns.repository';
import { RecipientImport, type RecipientsFile } from '../recipients-file/recipient-import';
import { storedRetry } from '../plan/retry-policy';

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
    return this.recipients.store(campaign, toFile(form, agent.names), {
      present: presentCreatedCampaign,
      abortSignal,
    });
  }

  /** Returns what {@link create} would do with this form. Nothing is stored. */
  async validate({ workspaceId }: Caller, form: CreateCampaignDto, abortSignal: AbortSignal) {
    if (isTooEarly(form)) throw expiresTooEarly();
    const agent = await this.agents.findVariables(workspaceId, form.assistantId);
    const file = toFile(form, agent.names);
    return presentValidation(await this.recipients.check(workspaceId, file, abortSignal), agent);
  }

  async list(workspaceId: string, { include, ...query }: ListCampaignsQuery) {
    const { rows, total } = await this.campaigns.list(workspaceId, query);
    if (include === undefined) return paginate(rows.map(presentCampaign), query, total);
    const details = await this.readDetails(
      workspaceId,
      rows.map(({ id }) => id),
    );
    // A campaign that is deleted meanwhile has no snapshot.
    const listed = rows.map((row) => {
      const found = details.get(row.id);
      return found ? presentListedCampaign(row, found) : presentCampaign(row);
    });
    return paginate(listed, query, total);
  }

  /** @throws 404 */
  async get(workspaceId: string, campaignId: string): Promise<CampaignDetailDto> {
    const campaign = await this.campaigns.find(workspaceId, campaignId);
    const found = campaign && (await this.readDetails(workspaceId, [campaign.id])).get(campaign.id);
    if (!found) throw campaignNotFound();
    return presentDetail(campaign, found, { defaultConcurrency: this.config.CAMPAIGN_CONCURRENCY });
  }

  /** Reads the progress of campaigns, and why they wait, in two statements for all of them. */
  private async readDetails(
    workspaceId: string,
    ids: string[],
  ): Promise<Map<string, CampaignSnapshot & { waiting: Waiting | null }>> {
    const { CAMPAIGN_CONCURRENCY: campaignConcurrency, WORKSPACE_CONCURRENCY: workspaceConcurrency } =
      this.config;
    const snapshots = await this.campaigns.findSnapshots(workspaceId, ids);
    const running = [...snapshots.values()].filter(({ status }) => status === CAMPAIGN_STATUS.running);
    const waiting = await this.campaigns.findWaiting(
      running.map(({ id }) => id),
      { campaignConcurrency, workspaceConcurrency },
    );
    return new Map(
      [...snapshots].map(([id, snapshot]) => [id, { ...snapshot, waiting: waiting.get(id) ?? null }]),
    );
  }
}

const toFile = (
  { file, phoneCountry, invalidRows }: CreateCampaignDto,
  variableAliases: string[],
): RecipientsFile => ({
  path: file.path,
  variableAliases,
  country: phoneCountry,
  leavesOut: invalidRows === 'skip',
});

const isTooEarly = ({ expiresAt, scheduleTime }: CreateCampaignDto) =>
  expiresAt !== undefined && expiresAt.getTime() <= Math.max(Date.now(), scheduleTime?.getTime() ?? 0);
