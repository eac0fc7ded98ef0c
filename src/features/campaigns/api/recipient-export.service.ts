import { type ExecutionContext, Injectable } from '@nestjs/common';
import type { Response } from 'express';
import { exportWriters } from '../../../platform/http/export-formats';
import { exportedFile } from '../../../platform/http/exported-file';
import { StreamedAnswers } from '../../../platform/http/streamed-answers';
import { Replica } from '../../../platform/replica/replica';
import { CampaignRecipientsService } from './campaign-recipients.service';
import type { ExportRecipientsQuery, RecipientDto } from './campaign-steering.dto';
import { presentRecipient } from './campaigns.presenter';
import { RecipientListRepository, type RecipientQuery } from '../recipients/recipient-list.repository';

export const RECIPIENT_WRITERS = exportWriters<RecipientDto>({
  phone_number: (recipient) => recipient.phone_number,
  customer_name: (recipient) => recipient.customer_name,
  status: (recipient) => recipient.status,
  attempts: (recipient) => recipient.attempts,
  last_call_id: (recipient) => recipient.last_call_id,
  next_attempt_at: (recipient) => recipient.next_attempt_at,
  outcome: (recipient) => recipient.outcome,
  result: (recipient) => recipient.result,
});

/** Writes all recipients of a campaign that match to a response, by their numbers. */
@Injectable()
export class RecipientExportService {
  constructor(
    private readonly campaigns: CampaignRecipientsService,
    private readonly recipients: RecipientListRepository,
    private readonly answers: StreamedAnswers,
    private readonly replica: Replica,
  ) {}

  /** @throws 404 if the workspace has no such campaign */
  async write(
    workspaceId: string,
    campaignId: string,
    { format, ...query }: ExportRecipientsQuery,
    context: ExecutionContext,
    response: Response,
  ): Promise<void> {
    await this.campaigns.assertExists(workspaceId, campaignId);
    const batches = this.readBatches(campaignId, query, response);
    const file = exportedFile({ name: 'recipients', format, writers: RECIPIENT_WRITERS, batches });
    return this.answers.write(context, response, file);
  }

  private async *readBatches(
    campaignId: string,
    query: RecipientQuery,
    response: Response,
  ): AsyncGenerator<RecipientDto[], void> {
    const reader = this.replica.open();
    // The campaign was found on the primary, and the replica may not have it yet.
    if (!(await this.recipients.hasAny(reader, campaignId))) reader.usePrimary();
    for await (const rows of this.recipients.batches(reader, campaignId, query)) {
      reader.setHeader(response);
      yield rows.map(presentRecipient);
    }
  }
}
