import { Body, Controller, Param, Post } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, OwnCall } from '../../../platform/http/access';
import { ApiEnvelopeResponse } from '../../../platform/http/envelope';
import { ApiRequestBody } from '../../../platform/http/request-body';
import { numberListed } from '../../do-not-call/do-not-call.errors';
import { STATUS } from '../model/call-states';
import { callEnded, callNotFound, destinationNotAllowed, transferUnknown } from '../model/calls.errors';
import { AllowedTransferDto, TransferDto } from './transfers.dto';
import { TransfersService } from './transfers.service';

@ApiTags('Calls')
@Controller('api/calls/:call_id/transfers')
export class TransfersController {
  constructor(private readonly transfers: TransfersService) {}

  @Post()
  @OwnCall()
  @ApiRequestBody(TransferDto)
  @ApiEnvelopeResponse({
    operationId: 'allowTransfer',
    summary: 'Ask whether a call may be transferred',
    description:
      'For the runtime of a call by phone, with the credential that came with its claim, before it connects the person ' +
      'with another number. The number must be one of its agent, an allowed destination, and not on the ' +
      'do-not-call list. The timeline of the call shows that the transfer was allowed. A repetition changes nothing.',
    cost:
      'No credits. The call goes on until the persons hang up, and is charged for that time, too. The runtime ends it ' +
      'after `maximum_seconds`.',
    status: 200,
    message: 'Transfer allowed',
    data: AllowedTransferDto,
    errors: [
      transferUnknown(),
      destinationNotAllowed(),
      numberListed(),
      callNotFound(),
      callEnded(STATUS.disconnected, 'transferred'),
    ],
  })
  allow(@CurrentCaller() caller: Caller, @Param('call_id') callId: string, @Body() body: TransferDto) {
    return this.transfers.allow(caller, callId, body.to_number);
  }
}
