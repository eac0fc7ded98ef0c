import {
  Body,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Param,
  Patch,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { type Caller, CurrentCaller, CurrentContext, Unscoped } from '../../../platform/http/access';
import { Audited } from '../../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiExportResponse } from '../../../platform/http/export-response';
import { MayScan } from '../../../platform/http/may-scan';
import { PageQuery } from '../../../platform/http/pagination';
import { ApiRequestBody } from '../../../platform/http/request-body';
import { CampaignRecipientsService } from './campaign-recipients.service';
import { CAMPAIGN_STATUS } from '../plan/campaign-status';
import {
  CampaignLogEntryDto,
  ExportRecipientsQuery,
  ListRecipientsQuery,
  RecipientDetailDto,
  RecipientDto,
} from './campaign-steering.dto';
import { CampaignSteeringService } from './campaign-steering.service';
import { UpdateCampaignDto } from '../recipients-file/campaign-form.dto';
import { CampaignDetailDto } from './campaigns.dto';
import {
  campaignBegun,
  campaignEnded,
  campaignNotFound,
  campaignNotPaused,
  campaignNotRunning,
  expiresTooEarly,
  recipientNotFound,
} from '../plan/campaigns.errors';
import { RECIPIENT_WRITERS, RecipientExportService } from './recipient-export.service';

/** The transaction returns the name of the campaign. */
const toTarget = ({ params, result }: { params: Record<string, string>; result: unknown }) => ({
  id: params.campaign_id as string,
  name: result as string,
});

@ApiTags('Campaigns')
@Controller('api/campaign/:campaign_id')
export class CampaignSteeringController {
  constructor(
    private readonly campaigns: CampaignSteeringService,
    private readonly recipients: CampaignRecipientsService,
    private readonly exports: RecipientExportService,
  ) {}

  @Patch()
  @Unscoped({ operates: true, liftsCap: true })
  @Audited('campaign.updated', toTarget)
  @ApiRequestBody(UpdateCampaignDto)
  @ApiEnvelopeResponse({
    operationId: 'updateCampaign',
    summary: 'Change a campaign',
    description:
      'Changes a campaign that has not ended. New windows and another zone count for queued calls, too: calls that no ' +
      'runtime has claimed are taken back and made again within the new windows. Another policy for further attempts ' +
      'counts for recipients who wait for one, too: who is given none has ended with the last call.',
    status: 200,
    message: 'Campaign changed',
    data: CampaignDetailDto,
    errors: [
      expiresTooEarly(),
      campaignNotFound(),
      campaignEnded(CAMPAIGN_STATUS.completed),
      campaignBegun(CAMPAIGN_STATUS.running),
    ],
  })
  update(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Body() body: UpdateCampaignDto,
  ) {
    return this.campaigns.update(caller.workspaceId, campaignId, body);
  }

  @Post('pause')
  @Unscoped({ operates: true })
  @Audited('campaign.paused', toTarget)
  @ApiEnvelopeResponse({
    operationId: 'pauseCampaign',
    summary: 'Pause a campaign',
    description:
      'From the answer on no further call is placed: calls that no runtime has claimed are taken back, and their ' +
      'recipients are pending again. Calls that runtimes have claimed go on.',
    status: 200,
    message: 'Campaign paused',
    data: CampaignDetailDto,
    errors: [campaignNotFound(), campaignNotRunning(CAMPAIGN_STATUS.completed)],
  })
  pause(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.pause(caller.workspaceId, campaignId);
  }

  @Post('resume')
  @Unscoped({ operates: true })
  @Audited('campaign.resumed', toTarget)
  @ApiEnvelopeResponse({
    operationId: 'resumeCampaign',
    summary: 'Resume a campaign',
    description: 'Continues a paused campaign; one whose time has not come is scheduled again.',
    status: 200,
    message: 'Campaign resumed',
    data: CampaignDetailDto,
    errors: [campaignNotFound(), campaignNotPaused(CAMPAIGN_STATUS.running)],
  })
  resume(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.resume(caller.workspaceId, campaignId);
  }

  @Post('cancel')
  @Unscoped({ operates: true })
  @Audited('campaign.cancelled', toTarget)
  @ApiEnvelopeResponse({
    operationId: 'cancelCampaign',
    summary: 'Cancel a campaign',
    description:
      'Ends a campaign for good, as a pause does. Recipients who wait for a call become skipped in the background.',
    status: 200,
    message: 'Campaign cancelled',
    data: CampaignDetailDto,
    errors: [campaignNotFound(), campaignEnded(CAMPAIGN_STATUS.completed)],
  })
  cancel(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.cancel(caller.workspaceId, campaignId);
  }

  @Get('recipients')
  @Unscoped()
  @MayScan()
  @ApiEnvelopeResponse({
    operationId: 'listRecipients',
    summary: 'List the recipients of a campaign',
    description:
      'Lists the recipients by their numbers. A search for one or two characters, or with a status or a result, looks ' +
      'at the first 5,000 recipients with the text at most. If there are more, `totalIsLowerBound` is true, and a ' +
      'longer text or an export finds the others.',
    status: 200,
    message: 'Recipients',
    data: RecipientDto,
    list: true,
    paginated: true,
    errors: [campaignNotFound()],
  })
  listRecipients(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Query() query: ListRecipientsQuery,
  ) {
    return this.recipients.list(caller.workspaceId, campaignId, query);
  }

  @Get('recipients/export')
  @Unscoped()
  @ApiExportResponse({
    operationId: 'exportRecipients',
    summary: 'Export the recipients of a campaign',
    content: 'all recipients that match, by their numbers',
    data: RecipientDto,
    writers: RECIPIENT_WRITERS,
    errors: [campaignNotFound()],
  })
  exportRecipients(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Query() query: ExportRecipientsQuery,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.write(caller.workspaceId, campaignId, query, context, response);
  }

  @Get('recipients/:recipient_number')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRecipient',
    summary: 'Get a recipient of a campaign',
    description: 'Returns a recipient, and why the recipient is not called now.',
    status: 200,
    message: 'Recipient',
    data: RecipientDetailDto,
    errors: [campaignNotFound(), recipientNotFound()],
  })
  getRecipient(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Param('recipient_number') phoneNumber: string,
  ) {
    return this.recipients.get(caller.workspaceId, campaignId, phoneNumber);
  }

  @Delete('recipients/:recipient_number')
  @Unscoped({ operates: true })
  @Audited('campaign.recipient_removed', toTarget)
  @ApiEnvelopeResponse({
    operationId: 'removeRecipient',
    summary: 'Remove a recipient from a campaign',
    description:
      'No further attempt is made. A recipient who waits for a call is skipped; a call that a runtime has claimed goes ' +
      'on, and is the last one.',
    status: 200,
    message: 'Recipient removed',
    errors: [campaignNotFound(), recipientNotFound()],
  })
  removeRecipient(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Param('recipient_number') phoneNumber: string,
  ) {
    return this.campaigns.removeRecipient(caller.workspaceId, campaignId, phoneNumber);
  }

  @Get('log')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listCampaignLog',
    summary: 'Read the log of a campaign',
    description: 'Lists what happened to the campaign, newest first: who changed it, and why it waited.',
    status: 200,
    message: 'Campaign log',
    data: CampaignLogEntryDto,
    list: true,
    paginated: true,
    errors: [campaignNotFound()],
  })
  listLog(
    @CurrentCaller() caller: Caller,
    @Param('campaign_id') campaignId: string,
    @Query() query: PageQuery,
  ) {
    return this.recipients.listLog(caller.workspaceId, campaignId, query);
  }
}
