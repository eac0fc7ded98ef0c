import { Controller, type ExecutionContext, Get, Param, Post, Query, Res } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { STATUS } from '../../calls/model/call-states';
import { HangUpDto } from '../../calls/lifecycle/calls.dto';
import { callEnded, callNotAudible, callNotFound } from '../../calls/model/calls.errors';
import { ListenDto } from '../../calls/model/join.dto';
import { Audited } from '../../../accounts/audit/audited';
import {
  type Caller,
  CurrentCaller,
  CurrentContext,
  ScopeFiltered,
  Unscoped,
} from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiExportResponse } from '../../../platform/http/export-response';
import { MayScan } from '../../../platform/http/may-scan';
import { CALL_WRITERS, CallExportService } from './call-export.service';
import { ExportCallsQuery, ListCallsQuery, mayScanCalls } from '../filter/call-filter.dto';
import { CallDetailDto, CallDto, ExportedCallDto, TimelineEntryDto, TranscriptDto } from './call-records.dto';
import { CallRecordsService } from './call-records.service';
import { TranscriptsService } from './transcripts.service';

@ApiTags('Calls')
@Controller('api/calls')
export class CallRecordsController {
  constructor(
    private readonly records: CallRecordsService,
    private readonly exports: CallExportService,
    private readonly transcripts: TranscriptsService,
  ) {}

  @Get()
  @ScopeFiltered()
  @MayScan(mayScanCalls)
  @ApiEnvelopeResponse({
    operationId: 'listCalls',
    summary: 'List calls',
    description:
      'Lists the calls of all agents, from the moment each was accepted; newest first unless sorted otherwise. ' +
      'Filters are combined with AND. A credential with scopes sees the calls of its agents.',
    status: 200,
    message: 'Calls',
    data: CallDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: ListCallsQuery) {
    return this.records.list(caller, query);
  }

  @Get('export')
  @ScopeFiltered()
  @ApiExportResponse({
    operationId: 'exportCalls',
    summary: 'Export calls',
    content: 'all calls that match, newest first',
    data: ExportedCallDto,
    writers: CALL_WRITERS,
  })
  export(
    @CurrentCaller() caller: Caller,
    @Query() query: ExportCallsQuery,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.write(caller, query, context, response);
  }

  @Get(':call_id')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'getCall',
    summary: 'Get a call',
    description:
      'Returns one call with what the runtime was handed and what it reported: variables, greeting, ' +
      'configuration of the agent, summary, analysis and recording.',
    status: 200,
    message: 'Call',
    data: CallDetailDto,
    errors: [callNotFound()],
  })
  get(@CurrentCaller() caller: Caller, @Param('call_id') callId: string) {
    return this.records.get(caller, callId);
  }

  @Get(':call_id/timeline')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'getCallTimeline',
    summary: 'Get the timeline of a call',
    description:
      'Returns what happened to the call, in order: who did what, when and why. The credits, the reports of ' +
      'the runtime and each attempt of a webhook are included.',
    status: 200,
    message: 'Timeline',
    data: TimelineEntryDto,
    list: true,
    errors: [callNotFound()],
  })
  timeline(@CurrentCaller() caller: Caller, @Param('call_id') callId: string) {
    return this.records.timeline(caller, callId);
  }

  @Get(':call_id/transcript')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'getCallTranscript',
    summary: 'Get the transcript of a call',
    description:
      'Returns what was said, as far as the runtime has reported it: also while the call goes on, in the ' +
      'order of the turns. A response that is cut is not complete. A workspace may read two transcripts at once in ' +
      'each process.',
    status: 200,
    message: 'Transcript',
    data: TranscriptDto,
    errors: [callNotFound()],
  })
  transcript(
    @CurrentCaller() caller: Caller,
    @Param('call_id') callId: string,
    @CurrentContext() context: ExecutionContext,
    @Res() response: Response,
  ): Promise<void> {
    return this.transcripts.write(caller, callId, context, response);
  }

  @Post(':call_id/listen')
  @Unscoped({ operates: true })
  @Audited('call.listened_to', ({ params }) => ({ id: params.call_id as string }))
  @ApiEnvelopeResponse({
    operationId: 'listenToCall',
    summary: 'Listen to a call',
    description:
      'Returns the address at which a connected call is heard, if its runtime offers that, as `can_listen` of the call ' +
      'says. The listener is not heard in the call. The protocol is that of the runtime. Each request is in the audit.',
    status: 200,
    message: 'Address of the audio',
    data: ListenDto,
    errors: [callNotFound(), callNotAudible()],
  })
  listen(@CurrentCaller() caller: Caller, @Param('call_id') callId: string) {
    return this.records.listen(caller, callId);
  }

  @Post(':call_id/hangup')
  @Unscoped({ operates: true })
  @Audited('call.hang_up_requested', ({ params }) => ({ id: params.call_id as string }))
  @ApiEnvelopeResponse({
    operationId: 'hangUpCallById',
    summary: 'Hang up a call by its id',
    description:
      'Cancels a call that no runtime has claimed yet, or asks the runtime that has it to hang up. The ' +
      'runtime hangs up in the background; the timeline shows when it did.',
    cost: 'No credits. The call is charged for the time it was connected; a cancelled one gives its hold back.',
    status: 202,
    message: 'Hang-up requested',
    data: HangUpDto,
    errors: [callNotFound(), callEnded(STATUS.disconnected)],
  })
  hangUp(@CurrentCaller() caller: Caller, @Param('call_id') callId: string) {
    return this.records.hangUp(caller, callId);
  }
}
