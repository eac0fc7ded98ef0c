import { Controller, Get, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { FoundRecipientDto, SearchRecipientsQuery } from './campaign-steering.dto';
import { CampaignRecipientsService } from './campaign-recipients.service';

@ApiTags('Campaigns')
@Controller('api/recipients')
export class RecipientsController {
  constructor(private readonly recipients: CampaignRecipientsService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'searchRecipients',
    summary: 'Search the recipients of all campaigns',
    description:
      'Finds a person in the campaigns of the workspace, the newest first, and says why each campaign does not call now.',
    status: 200,
    message: 'Recipients',
    data: FoundRecipientDto,
    list: true,
  })
  search(@CurrentCaller() { workspaceId }: Caller, @Query() query: SearchRecipientsQuery) {
    return this.recipients.search(workspaceId, query);
  }
}
