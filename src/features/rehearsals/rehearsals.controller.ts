import {
  Body,
  Controller,
  Delete,
  type ExecutionContext,
  Get,
  Param,
  Post,
  Put,
  Query,
  Res,
} from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { Audited } from '../../accounts/audit/audited';
import { Idempotent } from '../../accounts/idempotency/idempotent';
import { type Caller, CurrentCaller, CurrentContext, Unscoped } from '../../platform/http/access';
import type { Created } from '../../platform/http/created';
import { ApiDocumentResponse } from '../../platform/http/document-response';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { ApiRequestBody } from '../../platform/http/request-body';
import { malformedYaml, YAML } from '../../platform/http/yaml-body';
import { agentNotFound } from '../agents/agents.errors';
import { callNotFound } from '../calls/model/calls.errors';
import type { Rehearsal } from './rehearsal.entity';
import {
  ImportedRehearsalsDto,
  ImportRehearsalsDto,
  ImportRehearsalsQuery,
  RehearsalDto,
  RehearsalOfCallDto,
  RehearseCallDto,
  WriteRehearsalDto,
} from './rehearsals.dto';
import {
  callNotRehearsable,
  rehearsalNameTaken,
  rehearsalNotFound,
  rehearsalOutcomeUnknown,
  rehearsalsLimitReached,
} from './rehearsals.errors';
import { RehearsalsService } from './rehearsals.service';

@ApiTags('Rehearsals')
@Controller('api/agents/:agent_id/rehearsals')
export class RehearsalsController {
  constructor(private readonly rehearsals: RehearsalsService) {}

  @Post()
  @Unscoped()
  @Audited<Created<RehearsalDto, Rehearsal>>('rehearsal.created', ({ result: { row } }) => ({
    id: row.id,
    name: row.name,
  }))
  @ApiRequestBody(WriteRehearsalDto)
  @Idempotent({ unknownOutcome: rehearsalOutcomeUnknown })
  @ApiEnvelopeResponse({
    operationId: 'createRehearsal',
    summary: 'Create a rehearsal',
    description:
      'Stores a conversation that the agent is to hold: what the person says, what its tools answer, and what must be ' +
      'true of it. A rehearsal asks no real tool and dials no number. All its patterns together compile to at ' +
      'most 3,000 steps.',
    cost: 'No credits. An agent can have 200 rehearsals of at most 64 KB.',
    status: 201,
    message: 'Rehearsal created',
    data: RehearsalDto,
    location: 'The new rehearsal: /api/agents/…/rehearsals/…',
    errors: [agentNotFound(), rehearsalNameTaken('table-for-two'), rehearsalsLimitReached()],
  })
  create(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: WriteRehearsalDto,
  ) {
    return this.rehearsals.create(workspaceId, agentId, body);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listRehearsals',
    summary: 'List the rehearsals of an agent',
    description: 'Lists the rehearsals of an agent by their names.',
    status: 200,
    message: 'Rehearsals',
    data: RehearsalDto,
    list: true,
    paginated: true,
    errors: [agentNotFound()],
  })
  list(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Query() query: PageQuery,
  ) {
    return this.rehearsals.list(workspaceId, agentId, query);
  }

  @Get('export')
  @Unscoped()
  @ApiDocumentResponse({
    operationId: 'exportRehearsals',
    summary: 'Export the rehearsals of an agent',
    description: 'Writes all rehearsals of an agent as one document of YAML 1.2, which can be imported.',
    document: { yaml: ImportRehearsalsDto },
    errors: [agentNotFound()],
  })
  export(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.rehearsals.export(workspaceId, agentId, context, response);
  }

  @Post('from-call')
  @Unscoped()
  @Audited<Created<RehearsalOfCallDto, Rehearsal>>('rehearsal.created', ({ result: { row } }) => ({
    id: row.id,
    name: row.name,
  }))
  @ApiRequestBody(RehearseCallDto)
  @ApiEnvelopeResponse({
    operationId: 'createRehearsalFromCall',
    summary: 'Create a rehearsal from a call',
    description:
      'Makes a rehearsal of a call that has ended: its person says what the person of the call said, its tools answer ' +
      'as they did, and its checks are for the tools that were asked and for the end. It is not enabled. The name of ' +
      'the customer, the values of variables, e-mail addresses, and numbers of five digits or more have stand-ins. It ' +
      'is deleted with its runs when the person is erased.',
    status: 201,
    message: 'Rehearsal created',
    data: RehearsalOfCallDto,
    location: 'The new rehearsal: /api/agents/…/rehearsals/…',
    errors: [
      agentNotFound(),
      callNotFound(),
      rehearsalNameTaken('table-for-two'),
      callNotRehearsable('The person said nothing in it.'),
      rehearsalsLimitReached(),
    ],
  })
  createOfCall(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Body() body: RehearseCallDto,
  ) {
    return this.rehearsals.createOfCall(workspaceId, agentId, body);
  }

  @Post('import')
  @Unscoped()
  @Audited('rehearsal.imported', ({ params }) => ({ id: params.agent_id as string }))
  @ApiRequestBody({ 'application/json': ImportRehearsalsDto, [YAML]: ImportRehearsalsDto })
  @ApiEnvelopeResponse({
    operationId: 'importRehearsals',
    summary: 'Import rehearsals of an agent',
    description:
      'Stores the rehearsals of a file of at most 1 MB by their names: all of them, or none. YAML must have no ' +
      'anchors, aliases and tags.',
    status: 200,
    message: 'Rehearsals imported',
    data: ImportedRehearsalsDto,
    errors: [
      agentNotFound(),
      rehearsalsLimitReached(),
      malformedYaml(3, 'anchors, aliases and tags are not taken'),
    ],
  })
  import(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Query() query: ImportRehearsalsQuery,
    @Body() body: ImportRehearsalsDto,
  ) {
    return this.rehearsals.import(workspaceId, agentId, body, query);
  }

  @Get(':rehearsal_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getRehearsal',
    summary: 'Get a rehearsal',
    description: 'Returns one rehearsal as it was stored. What it leaves out has its default.',
    status: 200,
    message: 'Rehearsal',
    data: RehearsalDto,
    errors: [agentNotFound(), rehearsalNotFound()],
  })
  get(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Param('rehearsal_id') rehearsalId: string,
  ) {
    return this.rehearsals.get(workspaceId, agentId, rehearsalId);
  }

  @Put(':rehearsal_id')
  @Unscoped()
  @Audited('rehearsal.updated', ({ params }) => ({ id: params.rehearsal_id as string }))
  @ApiRequestBody(WriteRehearsalDto)
  @ApiEnvelopeResponse({
    operationId: 'replaceRehearsal',
    summary: 'Replace a rehearsal',
    description: 'Replaces the whole rehearsal: what is left out has its default.',
    status: 200,
    message: 'Rehearsal replaced',
    data: RehearsalDto,
    errors: [agentNotFound(), rehearsalNotFound(), rehearsalNameTaken('table-for-two')],
  })
  replace(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Param('rehearsal_id') rehearsalId: string,
    @Body() body: WriteRehearsalDto,
  ) {
    return this.rehearsals.replace(workspaceId, agentId, rehearsalId, body);
  }

  @Delete(':rehearsal_id')
  @Unscoped()
  @Audited<Rehearsal>('rehearsal.deleted', ({ result: { id, name } }) => ({ id, name }))
  @ApiEnvelopeResponse({
    operationId: 'deleteRehearsal',
    summary: 'Delete a rehearsal',
    description: 'Deletes a rehearsal.',
    status: 200,
    message: 'Rehearsal deleted',
    data: 'empty',
    errors: [agentNotFound(), rehearsalNotFound()],
  })
  async remove(
    @CurrentCaller() { workspaceId }: Caller,
    @Param('agent_id') agentId: string,
    @Param('rehearsal_id') rehearsalId: string,
  ) {
    await this.rehearsals.remove(workspaceId, agentId, rehearsalId);
    return {};
  }
}
