import { Controller, UseFilters, UsePipes } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { ApiExcludeController } from '@nestjs/swagger';
import type { IncomingMessage } from '../../../platform/messaging/message-broker';
import { MESSAGE_TYPES } from '../../../platform/messaging/wire';
import { CallEndedDto, CallEventDto, CallFailedDto, CallJoinableDto, ClaimDto } from './call-events.dto';
import { CallEventsService } from './call-events.service';
import { ClaimScopes } from '../model/claim-scope';
import { IncomingCallDto } from './incoming-calls.dto';
import { IncomingCallsService } from './incoming-calls.service';
import { MalformedClaimFilter, MalformedIncomingCallFilter } from './malformed-claim.filter';
import { messageValidation } from './message-validation';

/** The messages that runtimes send to the server. */
@ApiExcludeController()
@Controller()
@UsePipes(messageValidation)
export class CallEventsController {
  constructor(
    private readonly events: CallEventsService,
    private readonly incomingCalls: IncomingCallsService,
    private readonly scopes: ClaimScopes,
  ) {}

  @MessagePattern(MESSAGE_TYPES.claim)
  @UseFilters(MalformedClaimFilter)
  claim(@Payload() claim: ClaimDto, @Ctx() message: IncomingMessage) {
    return this.events.claim(claim, this.scopes.ofClaim(message));
  }

  @MessagePattern(MESSAGE_TYPES.incoming)
  @UseFilters(MalformedIncomingCallFilter)
  incoming(@Payload() call: IncomingCallDto, @Ctx() message: IncomingMessage) {
    return this.incomingCalls.claim(call, this.scopes.ofIncomingCall(message));
  }

  @EventPattern(MESSAGE_TYPES.joinable)
  joinable(@Payload() event: CallJoinableDto) {
    return this.events.joinable(event);
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
