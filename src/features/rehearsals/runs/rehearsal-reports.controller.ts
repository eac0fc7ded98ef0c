import { Controller, UsePipes } from '@nestjs/common';
import { EventPattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { isRehearsalId } from '../../calls/model/rehearsal-id';
import { messageValidation } from '../../calls/runtime-messages/message-validation';
import { CallAnalyzedDto } from '../../reports/runtime-reports/call-reports.dto';
import { RehearsalCalls } from './rehearsal-calls';
import { CallJudgedDto, CallRehearsedDto } from './rehearsal-reports.dto';

/** Receives the facts of runtimes about rehearsals, and the judgements of models. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class RehearsalReportsController {
  constructor(private readonly rehearsals: RehearsalCalls) {}

  @EventPattern(MESSAGE_TYPES.rehearsed)
  rehearsed(@Payload() { facts, ...call }: CallRehearsedDto) {
    return this.rehearsals.rehearsed(call, facts);
  }

  /** It is that of a call as well, which has another id. */
  @EventPattern(MESSAGE_TYPES.analyzed)
  async analyzed(@Payload() analysis: CallAnalyzedDto) {
    if (isRehearsalId(analysis.conversation_id)) await this.rehearsals.analyzed(analysis);
  }

  @EventPattern(MESSAGE_TYPES.judged)
  judged(@Payload() { answers, tokens, ...call }: CallJudgedDto) {
    return this.rehearsals.judged(call, answers, tokens);
  }
}
