import {
  Body,
  Controller,
  type ExecutionContext,
  Get,
  HttpCode,
  Param,
  Post,
  Query,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited } from '../../../accounts/audit/audited';
import { Idempotent } from '../../../accounts/idempotency/idempotent';
import { type Caller, CurrentCaller, CurrentContext, Unscoped } from '../../../platform/http/access';
import type { Created } from '../../../platform/http/created';
import { ApiDocumentResponse } from '../../../platform/http/document-response';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiRequestBody } from '../../../platform/http/request-body';
import {
  agentNotFound,
  agentTooLarge,
  agentVersionNotFound,
  transfersNotAllowed,
} from '../../agents/agents.errors';
import {
  ListRunsQuery,
  RehearsalResultDto,
  RehearsalRunDetailDto,
  RehearsalRunDto,
  ResultQuery,
  RunReportDto,
  StartRunDto,
} from './rehearsal-runs.dto';
import {
  noRehearsals,
  rehearsalResultNotFound,
  rehearsalRunNotFound,
  rehearsalRunOutcomeUnknown,
  rehearsalRunsLimitReached,
} from './rehearsal-runs.errors';
import { RehearsalRunsService } from './rehearsal-runs.service';
import { EXAMPLE_JUNIT } from './run-report';
import { RunReportsService } from './run-reports.service';

@ApiTags('Rehearsals')
@Controller('api')
export class RehearsalRunsController {
  constructor(
    private readonly runs: RehearsalRunsService,
    private readonly reports: RunReportsService,
  ) {}

  @Post('agents/:agent_id/rehearsal-runs')
  @Unscoped()
  @Audited<Created<RehearsalRunDto, { id: string }>>('rehearsal_run.started', ({ result: { row } }) => row)
  @ApiRequestBody(StartRunDto)
  @Idempotent({ unknownOutcome: rehearsalRunOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'startRehearsalRun',
    summary: 'Start a rehearsal run',
    description:
      'Plays rehearsals of an agent, and compares what has happened with their checks. Nobody is called, no real tool is ' +
      'asked, and no call is recorded. A runtime that plays rehearsals is needed.',
    cost: 'No credits. The language model of the agent is asked. A workspace can have 10 runs at once.',
    status: 201,
    message: 'Rehearsal run started',
    data: RehearsalRunDto,
    location: 'The new run: /api/rehearsal-runs/…',
    errors: [
      agentTooLarge(1_024),
      transfersNotAllowed(['destination'], 'body.fields.actions'),
      transfersNotAllowed(['listed'], 'body.fields.actions'),
      agentNotFound(),
      agentVersionNotFound(),
      noRehearsals(),
      rehearsalRunsLimitReached(),
    ],
  })
  start(@CurrentCaller() caller: Caller, @Param('agent_id') agentId: string, @Body() body: StartRunDto) {
    return this.runs.start(caller, agentId, body);
  }

  @Get('rehearsal-runs')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listRehearsalRuns',
    summary: 'List rehearsal runs',
    description: 'Lists the rehearsal runs of the workspace, newest first.',
    status: 200,
    message: 'Rehearsal runs',
    data: RehearsalRunDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() { workspaceId }: Caller, @Query() query: ListRunsQuery) {
    return this.runs.list(workspaceId, query);
  }

  @Get('rehearsal-runs/:run_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRehearsalRun',
    summary: 'Get a rehearsal run',
    description:
      'Returns a run with the results of its rehearsals, of each of which the worst repetition counts.',
    status: 200,
    message: 'Rehearsal run',
    data: RehearsalRunDetailDto,
    errors: [rehearsalRunNotFound()],
  })
  get(@CurrentCaller() { workspaceId }: Caller, @Param('run_id') runId: string) {
    return this.runs.get(workspaceId, runId);
  }

  @Get('rehearsal-runs/:run_id/results/:name/:repeat')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRehearsalResult',
    summary: 'Get one conversation of a rehearsal run',
    description:
      'Returns what was said in one repetition of a rehearsal, counted from 1, and how its checks came out.',
    status: 200,
    message: 'Rehearsal result',
    data: RehearsalResultDto,
    errors: [rehearsalRunNotFound(), rehearsalResultNotFound()],
  })
  getResult(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('run_id') runId: string,
    @Param('name') name: string,
    @Param('repeat') repeat: string,
    @Query() { against }: ResultQuery,
  ) {
    return this.runs.getResult(workspaceId, runId, { name, repeat, against });
  }

  @Get('rehearsal-runs/:run_id/report')
  @Unscoped()
  @ApiDocumentResponse({
    operationId: 'getRehearsalRunReport',
    summary: 'Get the report of a rehearsal run',
    description:
      'Writes the definitions, seeds, results and turns of a run as one JSON document without ids, wall times and ' +
      'hosts: the same rehearsals and the same answers of the model make the same bytes.',
    document: { json: RunReportDto },
    errors: [rehearsalRunNotFound()],
  })
  report(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('run_id') runId: string,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.reports.writeReport(workspaceId, runId, context, response);
  }

  @Get('rehearsal-runs/:run_id/junit')
  @Unscoped()
  @ApiDocumentResponse({
    operationId: 'getRehearsalRunJunit',
    summary: 'Get the results of a rehearsal run for continuous integration',
    description:
      'Writes each conversation of a run as a test case of JUnit XML: a failed check is a failure, what was not ' +
      'played is an error, and what is still to come is skipped. Times are virtual.',
    document: { xml: EXAMPLE_JUNIT },
    errors: [rehearsalRunNotFound()],
  })
  junit(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('run_id') runId: string,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.reports.writeJunit(workspaceId, runId, context, response);
  }

  @Post('rehearsal-runs/:run_id/cancel')
  @HttpCode(200)
  @Unscoped()
  @Audited('rehearsal_run.cancelled', ({ params }) => ({ id: params.run_id as string }))
  @ApiEnvelopeResponse({
    operationId: 'cancelRehearsalRun',
    summary: 'Cancel a rehearsal run',
    description: 'Ends a run: what is not played yet has an error. A run that has ended stays as it is.',
    status: 200,
    message: 'Rehearsal run cancelled',
    data: RehearsalRunDto,
    errors: [rehearsalRunNotFound()],
  })
  cancel(@CurrentCaller() { workspaceId }: Caller, @Param('run_id') runId: string) {
    return this.runs.cancel(workspaceId, runId);
  }
}
