import { Injectable } from '@nestjs/common';
import { offsetOf, type PageQuery, paginate } from '../http/pagination';
import { CampaignLogRepository } from './campaign-log.repository';
import type { ListRecipientsQuery } from './campaign-steering.dto';
import { campaignNotFound } from './campaigns.errors';
import { presentLogEntry, presentRecipient } from './campaigns.presenter';
import { CampaignsRepository } from './campaigns.repository';
import { RecipientListRepository } from './recipient-list.repository';

/** Reads the recipients and the log of a campaign. Methods throw 404 if the workspace has no such campaign. */
@Injectable()
export class CampaignRecipientsService {
  constructor(
    private readonly campaigns: CampaignsRepository,
    private readonly recipients: RecipientListRepository,
    private readonly log: CampaignLogRepository,
  ) {}

  async list(workspaceId: string, campaignId: string, query: ListRecipientsQuery) {
    await this.assertExists(workspaceId, campaignId);
    const place = { offset: offsetOf(query), limit: query.limit };
    const { rows, total } = await this.recipients.list(campaignId, query, place);
    return paginate(rows.map(presentRecipient), query, total);
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
