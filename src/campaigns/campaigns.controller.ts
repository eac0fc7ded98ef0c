import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiConsumes, ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../common/access';
import { Answers } from '../common/envelope';
import { FailsWithDetails } from '../common/failure-details';
import { Multipart } from '../common/multipart';
import {
  CampaignDetailDto,
  CampaignDto,
  CreateCampaignDto,
  CreatedCampaignDto,
  ListCampaignsQuery,
} from './campaigns.dto';
import { recipientsFileTooLarge } from './campaigns.errors';
import { CampaignsService } from './campaigns.service';

@ApiTags('Campaigns')
@Controller('api/campaign')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Get()
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Campaigns',
    data: CampaignDto,
    list: true,
    paginated: true,
    errors: [400, 401, 403, 500],
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListCampaignsQuery) {
    return this.campaigns.list(caller.workspaceId, query);
  }

  @Post()
  @Unscoped()
  @Multipart({
    file: 'file',
    maxBytes: (config) => config.CAMPAIGN_MAX_MB * 1024 * 1024,
    tooLarge: recipientsFileTooLarge,
  })
  @ApiConsumes('multipart/form-data')
  @FailsWithDetails()
  @Answers({
    status: 201,
    message: 'Campaign created',
    data: CreatedCampaignDto,
    errors: [400, 401, 403, 404, 413, 422, 500],
  })
  create(@CurrentCaller() caller: Caller, @Body() form: CreateCampaignDto) {
    return this.campaigns.create(caller, form);
  }

  @Get(':campaign_id')
  @Unscoped()
  @Answers({ status: 200, message: 'Campaign', data: CampaignDetailDto, errors: [401, 403, 404, 500] })
  get(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.get(caller.workspaceId, campaignId);
  }
}
