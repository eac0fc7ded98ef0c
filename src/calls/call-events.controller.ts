import {
  type ArgumentsHost,
  Catch,
  Controller,
  Logger,
  type RpcExceptionFilter,
  UseFilters,
  UsePipes,
} from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { type Observable, of } from 'rxjs';
import { MalformedMessageError } from '../messaging/malformed-message.error';
import { type ClaimRefused, MESSAGE_TYPES } from '../messaging/wire';
import { CallEndedDto, CallEventDto, CallFailedDto, ClaimDto } from './call-events.dto';
import { CallEventsService } from './call-events.service';
import { messageValidation } from './message-validation';

/** Replies to a malformed claim, so that the runtime's developer sees what is wrong instead of a timeout. */
@Catch(MalformedMessageError)
class MalformedClaimFilter implements RpcExceptionFilter<MalformedMessageError> {
  private readonly logger = new Logger(MalformedClaimFilter.name);

  catch(
    { message }: MalformedMessageError,
    host: ArgumentsHost,
  ): Observable<{ type: string; body: ClaimRefused }> {
    const { conversation_id } = host.switchToRpc().getData<{ conversation_id?: unknown } | null>() ?? {};
    this.logger.warn({ reason: message }, 'Refused a malformed claim');
    const body: ClaimRefused = {
      conversation_id: typeof conversation_id === 'string' ? conversation_id : '',
      reason: `The claim is malformed: ${message}.`,
    };
    return of({ type: MESSAGE_TYPES.claimRefused, body });
  }
}

/** The messages that runtimes send to the server. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class CallEventsController {
  constructor(private readonly events: CallEventsService) {}

  @MessagePattern(MESSAGE_TYPES.claim)
  @UseFilters(MalformedClaimFilter)
  claim(@Payload() claim: ClaimDto) {
    return this.events.claim(claim);
  }

  @EventPattern(MESSAGE_TYPES.connected)
  connected(@Payload() event: CallEventDto) {
    return this.events.connected(event);
  }

  @EventPattern(MESSAGE_TYPES.heartbeat)
  heartbeat(@Payload() event: CallEventDto) {
    return this.events.heartbeat(event);
  }

  @EventPattern(MESSAGE_TYPES.ended)
  ended(@Payload() event: CallEndedDto) {
    return this.events.ended(event);
  }

  @EventPattern(MESSAGE_TYPES.failed)
  failed(@Payload() event: CallFailedDto) {
    return this.events.failed(event);
  }
}
