import { Controller, type ExecutionContext, Get, Param, Put, Req, Res } from '@nestjs/common';
import { ApiHeader, ApiOperation, ApiProduces, ApiResponse, ApiTags } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { quotaReached } from '../../../accounts/workspaces/workspaces.errors';
import {
  type Caller,
  CurrentCaller,
  CurrentContext,
  OwnCall,
  ScopeFiltered,
} from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiErrorResponses } from '../../../platform/http/error-responses';
import { RAW_CONTENT, RawBody } from '../../../platform/http/raw-body';
import { callNotFound } from '../../calls/model/calls.errors';
import { RECORDING_TYPES } from './recording-file.entity';
import { HandedInRecordingDto } from './recordings.dto';
import { recordingExists, recordingNotFound, recordingTooLarge } from './recordings.errors';
import { RecordingsService } from './recordings.service';

@ApiTags('Calls')
@Controller('api/calls/:call_id/recording')
export class RecordingsController {
  constructor(private readonly recordings: RecordingsService) {}

  @Put()
  @OwnCall()
  @RawBody(...RECORDING_TYPES)
  @ApiEnvelopeResponse({
    operationId: 'handInRecording',
    summary: 'Hand in the recording of a call',
    description:
      'For the runtime of the call, with the credential that came with its claim: during the call, and up to an hour ' +
      'after its end. A call has one recording. It is removed with the call, and when the workspace keeps recordings no ' +
      'longer.',
    cost: 'No credits. Counts towards the quota of bytes of recordings.',
    status: 201,
    message: 'Recording kept',
    data: HandedInRecordingDto,
    errors: [
      callNotFound(),
      recordingExists(),
      recordingTooLarge(200),
      quotaReached('recording_bytes', { limit: 1_000_000, used: 900_000 }, 200_000),
    ],
  })
  handIn(@CurrentCaller() caller: Caller, @Param('call_id') callId: string, @Req() request: Request) {
    return this.recordings.handIn(caller, callId, request);
  }

  @Get()
  @ScopeFiltered()
  @ApiOperation({
    operationId: 'getRecording',
    summary: 'Get the recording of a call',
    description:
      'Writes the recording that the runtime handed in, or a part of it (`Range`). A recording that a runtime keeps ' +
      'elsewhere is at the `recording_url` of the call. A workspace may read 20 at once in each process.\n\n' +
      '**Cost:** No credits.',
  })
  @ApiHeader({
    name: 'Range',
    required: false,
    description: 'RFC 9110, section 14.',
    schema: { type: 'string' },
  })
  @ApiProduces(...RECORDING_TYPES)
  @ApiResponse({
    status: 200,
    description: 'The recording',
    content: Object.fromEntries(RECORDING_TYPES.map((type) => [type, RAW_CONTENT])),
  })
  @ApiErrorResponses([recordingNotFound()])
  get(
    @CurrentCaller() caller: Caller,
    @Param('call_id') callId: string,
    @CurrentContext() context: ExecutionContext,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    return this.recordings.write(caller, callId, context, { request, response });
  }
}
