import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../../config';
import { getOffset, type PageQuery, paginate } from '../../../platform/http/pagination';
import { CampaignLogRepository } from '../plan/campaign-log.repository';
import type {
  FoundRecipientDto,
  ListRecipientsQuery,
  RecipientDetailDto,
  SearchRecipientsQuery,
} from './campaign-steering.dto';
import { campaignNotFound, recipientNotFound } from '../plan/campaigns.errors';
import { presentLogEntry, presentRecipient, presentRecipientDetail } from './campaigns.presenter';
import { CampaignsRepository } from '../running/campaigns.repository';
import { RecipientListRepository } from '../recipients/recipient-list.repository';

/** Reads the recipients and the log of a campaign. Methods throw 404 if the workspace has no such campaign. */
@Injectable()
export class CampaignRecipientsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: RecipientListRepository,
    private readonly log: CampaignLogRepository,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async list(workspaceId: string, campaignId: string, query: ListRecipientsQuery) {
    await this.assertExists(workspaceId, campaignId);
    const place = { offset: getOffset(query), limit: query.limit };
    const { rows, total, isLowerBound } = await this.recipients.list(campaignId, query, place);
    return paginate(rows.map(presentRecipient), query, total, isLowerBound);
  }

  /** @throws 404 */
  async get(workspaceId: string, campaignId: string, phoneNumber: string): Promise<RecipientDetailDto> {
    await this.assertExists(workspaceId, campaignId);
    const recipient = await this.recipients.find(workspaceId, campaignId, phoneNumber);
    if (!recipient) throw recipientNotFound();
    const waiting = await this.findWaiting([campaignId]);
    return presentRecipientDetail(recipient, waiting.get(campaignId));
  }

  /** Finds recipients in the campaigns of the workspace, the newest first. */
  async search(workspaceId: string, { search, limit }: SearchRecipientsQuery): Promise<FoundRecipientDto[]> {
    const found = await this.recipients.search(workspaceId, search, limit);
    const waiting = await this.findWaiting([...new Set(found.map(({ campaignId }) => campaignId))]);
    return found.map((recipient) => ({
      campaign_id: recipient.campaignId,
      campaignName: recipient.campaignName,
      timezone: recipient.timezone,
      ...presentRecipientDetail(recipient, waiting.get(recipient.campaignId)),
    }));
  }

  private findWaiting(campaignIds: string[]) {
    return this.campaigns.findWaiting(campaignIds, {
      campaignConcurrency: this.config.CAMPAIGN_CONCURRENCY,
      workspaceConcurrency: this.config.WORKSPACE_CONCURRENCY,
    });
  }

  async listLog(workspaceId: string, campaignId: string, query: PageQuery) {
    await this.assertExists(workspaceId, campaignId);
    const { rows, total } = await this.log.list(campaignId, query);
    return paginate(rows.map(presentLogEntry), query, total);
  }

  async assertExists(workspaceId: string, campaignId: string): Promise<void> {
    if (!(await this.campaigns.find(workspaceId, campaignId))) throw campaignNotFound();
  }
}
