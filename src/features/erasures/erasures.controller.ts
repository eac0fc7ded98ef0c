import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { ApiRequestBody } from '../../platform/http/request-body';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import { EraseDto, ErasureDto, RequestedErasureDto } from './erasures.dto';
import { erasureNotFound } from './erasures.errors';
import { ErasuresService } from './erasures.service';

@ApiTags('Erasures')
@Controller('api/erasures')
export class ErasuresController {
  constructor(private readonly erasures: ErasuresService) {}

  @Post()
  @Unscoped()
  // The audit does not contain the number, which is erased.
  @Audited<RequestedErasureDto>('erasure.requested', ({ result }) => ({ id: result.erasure_id }))
  @ApiRequestBody(EraseDto)
  @ApiEnvelopeResponse({
    operationId: 'erasePerson',
    summary: 'Erase a person',
    description:
      'Removes what the workspace knows of the person with this number, in the background: the numbers, names, ' +
      'variables, transcripts, summaries, analyses and the addresses of recordings of their calls, the note on them, ' +
      'and their data in campaigns and webhooks. Counts, outcomes and credits stay. Calls that no runtime has claimed are cancelled, ' +
      'campaigns do not call the person again, and calls that are under way are erased when they have ended. An entry ' +
      'on the do-not-call list stays, without its reason. While an erasure of the number is open, asking for it again ' +
      'returns that one.',
    status: 201,
    message: 'Erasure requested',
    data: RequestedErasureDto,
    errors: [quotaReached('open_erasures', { limit: 1_000, used: 1_000 })],
  })
  request(@CurrentCaller() caller: Caller, @Body() body: EraseDto) {
    return this.erasures.request(caller.workspaceId, body.phone_number);
  }

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listErasures',
    summary: 'List erasures',
    description: 'Lists the erasures of the workspace, newest first. They do not name the numbers.',
    status: 200,
    message: 'Erasures',
    data: ErasureDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.erasures.list(caller.workspaceId, query);
  }

  @Get(':erasure_id')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'getErasure',
    summary: 'Get an erasure',
    description: 'Returns how far an erasure is. It does not name the number.',
    status: 200,
    message: 'Erasure',
    data: ErasureDto,
    errors: [erasureNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('erasure_id') erasureId: string) {
    return this.erasures.get(caller.workspaceId, erasureId);
  }
}
