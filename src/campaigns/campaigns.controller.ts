import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentNotFound } from '../agents/agents.errors';
import { type Caller, CurrentCaller, Unscoped } from '../http/access';
import { ClientGone } from '../http/client-abort-signal';
import { Answers } from '../http/envelope';
import { RefusesWithDetails } from '../http/top-level-error-details';
import { Multipart } from '../http/multipart';
import { Takes } from '../http/request-body';
import { defaultOf } from '../config';
import { IdempotencyService } from '../idempotency/idempotency.service';
import { IdempotencyKey, type KeyedRequest } from '../idempotency/idempotent-request';
import { quotaReached } from '../workspaces/workspaces.errors';
import {
  CampaignDetailDto,
  CampaignDto,
  CreateCampaignDto,
  CreatedCampaignDto,
  ListCampaignsQuery,
  SCHEDULED_AT_A_TIME,
} from './campaigns.dto';
import {
  campaignInDoubt,
  campaignNotFound,
  importsBusy,
  invalidRecipientsFile,
  recipientsFileTooLarge,
} from './campaigns.errors';
import { CampaignsService } from './campaigns.service';

@ApiTags('Campaigns')
@Controller('api/campaign')
export class CampaignsController {
  constructor(
    private readonly campaigns: CampaignsService,
    private readonly idempotency: IdempotencyService,
  ) {}

  @Get()
  @Unscoped()
  @Answers({
    status: 200,
    message: 'Campaigns',
    data: CampaignDto,
    list: true,
    paginated: true,
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
  @Takes({ 'multipart/form-data': CreateCampaignDto }, SCHEDULED_AT_A_TIME)
  @RefusesWithDetails()
  @Answers({
    status: 201,
    message: 'Campaign created',
    data: CreatedCampaignDto,
    idempotent: true,
    errors: [
      agentNotFound(),
      recipientsFileTooLarge(defaultOf('CAMPAIGN_MAX_MB')),
      invalidRecipientsFile('Row 3: +15551234567 stands in row 2 already.'),
      quotaReached('recipients', { limit: 1_000_000, used: 900_000 }, 200_000),
      importsBusy(defaultOf('CAMPAIGN_WAIT_MS') / 1_000),
      campaignInDoubt(),
    ],
  })
  create(
    @IdempotencyKey() request: KeyedRequest | undefined,
    @CurrentCaller() caller: Caller,
    @ClientGone() gone: AbortSignal,
    @Body() form: CreateCampaignDto,
  ) {
    return this.idempotency.once(
      request,
      (attempt) => this.campaigns.create(caller, form, { gone, attempt }),
      campaignInDoubt,
    );
  }

  @Get(':campaign_id')
  @Unscoped()
  @Answers({ status: 200, message: 'Campaign', data: CampaignDetailDto, errors: [campaignNotFound()] })
  get(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.get(caller.workspaceId, campaignId);
  }
}
