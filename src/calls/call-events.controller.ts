import { Controller, UseFilters, UsePipes, ValidationPipe } from '@nestjs/common';
import { EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import { describeProblems } from '../http/validation.pipe';
import { MalformedMessage } from '../messaging/malformed-message';
import { MESSAGE_TYPES } from '../messaging/wire';
import { CallEndedDto, CallEventDto, CallFailedDto, ClaimDto } from './call-events.dto';
import { CallLifecycle } from './call-lifecycle';
import { MalformedClaimFilter } from './malformed-claim.filter';

/** Takes what it knows of a message and leaves the rest, so that newer workers can talk to an older server. */
const messageValidation = new ValidationPipe({
  transform: true,
  whitelist: true,
  stopAtFirstError: true,
  exceptionFactory: (problems) =>
    new MalformedMessage(
      describeProblems(problems, 'body')
        .map(({ field, message }) => `${field}: ${message}`)
        .join('; '),
    ),
});

/** What runtimes say to the server over the broker. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class CallEventsController {
  constructor(private readonly calls: CallLifecycle) {}

  @MessagePattern(MESSAGE_TYPES.claim)
  @UseFilters(MalformedClaimFilter)
  claim(@Payload() claim: ClaimDto) {
    return this.calls.claim(claim);
  }

  @EventPattern(MESSAGE_TYPES.connected)
  connected(@Payload() event: CallEventDto) {
    return this.calls.connected(event);
  }

  @EventPattern(MESSAGE_TYPES.heartbeat)
  heartbeat(@Payload() event: CallEventDto) {
    return this.calls.heartbeat(event);
  }

  @EventPattern(MESSAGE_TYPES.ended)
  ended(@Payload() event: CallEndedDto) {
    return this.calls.ended(event);
  }

  @EventPattern(MESSAGE_TYPES.failed)
  failed(@Payload() event: CallFailedDto) {
    return this.calls.failed(event);
  }
}
