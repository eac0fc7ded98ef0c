import { Controller, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { messageValidation } from '../../calls/runtime-messages/message-validation';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { CallAnalyzedDto, CallRecordedDto, CallTranscriptDto, CallWarningDto } from './call-reports.dto';
import { CallReportsService } from './call-reports.service';

/** Receives the reports of runtimes about calls, such as transcripts, that do not change the state of a call. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class CallReportsController {
  constructor(private readonly reports: CallReportsService) {}

  @EventPattern(MESSAGE_TYPES.transcript)
  transcript(@Payload() transcript: CallTranscriptDto) {
    return this.reports.addTurns(transcript);
  }

  @EventPattern(MESSAGE_TYPES.recorded)
  recorded(@Payload() recording: CallRecordedDto) {
    return this.reports.setRecording(recording);
  }

  @EventPattern(MESSAGE_TYPES.warning)
  warning(@Payload() warning: CallWarningDto) {
    return this.reports.addWarning(warning);
  }

  @EventPattern(MESSAGE_TYPES.analyzed)
  analyzed(@Payload() analysis: CallAnalyzedDto) {
    return this.reports.setAnalysis(analysis);
  }
}
