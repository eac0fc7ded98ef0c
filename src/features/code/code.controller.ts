import { Body, Controller, Get, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { Audited } from '../../accounts/audit/audited';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { MayScan } from '../../platform/http/may-scan';
import { ApiRequestBody } from '../../platform/http/request-body';
import { agentTooLarge, noActiveSubscription, transfersNotAllowed } from '../agents/agents.errors';
import { rehearsalsLimitReached } from '../rehearsals/rehearsals.errors';
import { toolsBusy, toolServerUnavailable } from '../tools/tools.errors';
import { AppliedCodeDto, ApplyCodeDto, CodeResourceDto, ListCodeQuery } from './code.dto';
import { codeDrifted, codeOutcomeUnknown } from './code.errors';
import { CodeService } from './code.service';

const AT = 'body.resources.0';

@ApiTags('Code')
@Controller('api/code')
export class CodeController {
  constructor(private readonly code: CodeService) {}

  @Get()
  @Unscoped()
  @MayScan()
  @ApiEnvelopeResponse({
    operationId: 'listCode',
    summary: 'List definitions',
    description:
      'Lists agents, rehearsals and tools as files have them, by kind and slug: what is left out of a definition has its ' +
      'default.',
    status: 200,
    message: 'Definitions',
    data: CodeResourceDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ListCodeQuery) {
    return this.code.list(workspaceId, query);
  }

  @Post()
  // The service refuses a credential that only reads, unless it is a dry run.
  @Unscoped({ changesNothing: true })
  @Audited('code.applied', () => ({ id: null }))
  @ApiRequestBody(ApplyCodeDto)
  @Idempotent({ unknownOutcome: codeOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'applyCode',
    summary: 'Apply definitions',
    description:
      'Creates, changes and deletes agents, rehearsals and tools as their definitions say: all of them, or none. They may ' +
      'refer to each other. A resource that is as its definition says stays as it is. Any other must have the revision ' +
      '`base`, else nothing is done. Agents get new versions as an update gives them. A dry run asks no server of a tool.',
    cost: 'No credits. What it creates counts towards the same quotas as its own operations.',
    status: 200,
    message: 'Definitions applied',
    data: AppliedCodeDto,
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination'], `${AT}.definition.actions`),
      transfersNotAllowed(['listed'], `${AT}.definition.actions`),
      noActiveSubscription(),
      quotaReached('agents', { limit: 100, used: 100 }),
      quotaReached('tools', { limit: 200, used: 200 }),
      rehearsalsLimitReached(),
      codeDrifted([{ field: `${AT}.base`, message: 'the agent front-desk does not exist now' }]),
      toolServerUnavailable('its host cannot be reached'),
      toolsBusy(),
    ],
  })
  apply(@CurrentCaller() caller: Caller, @Body() body: ApplyCodeDto) {
    return this.code.apply(caller, body);
  }
}
