import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { agentNotFound } from '../../agents/agents.errors';
import { type Caller, CurrentCaller, Unscoped } from '../../../platform/http/access';
import { Audited } from '../../../accounts/audit/audited';
import { ClientAbortSignal } from '../../../platform/http/client-abort-signal';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { hasOneOf, MayScan } from '../../../platform/http/may-scan';
import { TopLevelErrorDetails } from '../../../platform/http/top-level-error-details';
import { Multipart } from '../../../platform/http/multipart';
import { ApiRequestBody } from '../../../platform/http/request-body';
import { getDefault } from '../../../config';
import { Idempotent } from '../../../accounts/idempotency/idempotent';
import { quotaReached } from '../../../accounts/workspaces/workspaces.errors';
import { CreateCampaignDto, SCHEDULED_AT_A_TIME } from '../recipients-file/campaign-form.dto';
import { CampaignValidationDto } from '../recipients-file/campaign-validation.dto';
import {
  CampaignDetailDto,
  CreatedCampaignDto,
  ListCampaignsQuery,
  ListedCampaignDto,
} from './campaigns.dto';
import {
  campaignOutcomeUnknown,
  campaignNotFound,
  importsBusy,
  invalidRecipientsFile,
  recipientsFileTooLarge,
} from '../plan/campaigns.errors';
import { CampaignsService } from './campaigns.service';

@ApiTags('Campaigns')
@Controller('api/campaign')
export class CampaignsController {
  constructor(private readonly campaigns: CampaignsService) {}

  @Get()
  @Unscoped()
  @MayScan(hasOneOf('search'))
  @ApiEnvelopeResponse({
    operationId: 'listCampaigns',
    summary: 'List campaigns',
    description: 'Lists the campaigns of the workspace, newest first.',
    status: 200,
    message: 'Campaigns',
    data: ListedCampaignDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListCampaignsQuery) {
    return this.campaigns.list(caller.workspaceId, query);
  }

  @Post()
  @Unscoped({ operates: true, liftsCap: true })
  @Multipart({
    file: 'file',
    maxBytes: (config) => config.CAMPAIGN_MAX_MB * 1024 * 1024,
    tooLarge: recipientsFileTooLarge,
  })
  @Audited<CreatedCampaignDto>('campaign.created', ({ result }) => ({
    id: result.campaign_id,
    name: result.campaignName,
    details: { agent_id: result.assistantId },
  }))
  @ApiRequestBody({ 'multipart/form-data': CreateCampaignDto }, SCHEDULED_AT_A_TIME)
  @TopLevelErrorDetails()
  @Idempotent({ unknownOutcome: campaignOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'createCampaign',
    summary: 'Create a campaign',
    description:
      'Creates a campaign from a CSV file of recipients and calls each of them at most once, at the ' +
      'scheduled time or at once. The file is read before the answer, and a file with an error is ' +
      'refused as a whole. The calls are made in the background.',
    cost:
      'Creating it costs no credits; each call costs what starting a call costs. Without credits the ' +
      'campaign waits. Recipients count towards their quota until they are called.',
    status: 201,
    message: 'Campaign created',
    data: CreatedCampaignDto,
    errors: [
      agentNotFound(),
      recipientsFileTooLarge(getDefault('CAMPAIGN_MAX_MB')),
      invalidRecipientsFile('Row 3: +15551234567 is already in row 2.'),
      quotaReached('recipients', { limit: 1_000_000, used: 900_000 }, 200_000),
      importsBusy(getDefault('CAMPAIGN_WAIT_MS') / 1_000),
    ],
  })
  create(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Body() form: CreateCampaignDto,
  ) {
    return this.campaigns.create(caller, form, abortSignal);
  }

  @Post('validate')
  @Unscoped({ changesNothing: true })
  @Multipart({
    file: 'file',
    maxBytes: (config) => config.CAMPAIGN_MAX_MB * 1024 * 1024,
    tooLarge: recipientsFileTooLarge,
  })
  @ApiRequestBody({ 'multipart/form-data': CreateCampaignDto }, SCHEDULED_AT_A_TIME)
  @ApiEnvelopeResponse({
    operationId: 'validateCampaign',
    summary: 'Check a campaign before it is created',
    description:
      'Reads the same form as creating a campaign does, and stores nothing: the errors of the file, what would be ' +
      'skipped, the variables that stay unfilled, and the greetings of the first calls.',
    status: 200,
    message: 'Campaign checked',
    data: CampaignValidationDto,
    errors: [
      agentNotFound(),
      recipientsFileTooLarge(getDefault('CAMPAIGN_MAX_MB')),
      quotaReached('recipients', { limit: 1_000_000, used: 900_000 }, 200_000),
      importsBusy(getDefault('CAMPAIGN_WAIT_MS') / 1_000),
    ],
  })
  validate(
    @CurrentCaller() caller: Caller,
    @ClientAbortSignal() abortSignal: AbortSignal,
    @Body() form: CreateCampaignDto,
  ) {
    return this.campaigns.validate(caller, form, abortSignal);
  }

  @Get(':campaign_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getCampaign',
    summary: 'Get a campaign',
    description: 'Returns one campaign with the number of its recipients in each state.',
    status: 200,
    message: 'Campaign',
    data: CampaignDetailDto,
    errors: [campaignNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('campaign_id') campaignId: string) {
    return this.campaigns.get(caller.workspaceId, campaignId);
  }
}
