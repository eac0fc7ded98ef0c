import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import { type Caller, CurrentCaller, Unscoped } from '../../platform/http/access';
import { Audited } from '../../accounts/audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { ApiRequestBody } from '../../platform/http/request-body';
import { PageQuery } from '../../platform/http/pagination';
import { quotaReached } from '../../accounts/workspaces/workspaces.errors';
import type { PhoneNumber } from './phone-number.entity';
import { PhoneNumberInputDto, PhoneNumberDto, PhoneNumberListDto } from './phone-numbers.dto';
import { numberUnavailable, phoneNumberNotFound } from './phone-numbers.errors';
import { PhoneNumbersService } from './phone-numbers.service';

@ApiTags('Phone numbers')
@Controller('api/phone-number')
export class PhoneNumbersController {
  constructor(private readonly phoneNumbers: PhoneNumbersService) {}

  @Get()
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listPhoneNumbers',
    summary: 'List phone numbers',
    description: 'Lists the phone numbers of the workspace. A number is `active` while an agent has it.',
    status: 200,
    message: 'Phone numbers',
    data: PhoneNumberListDto,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.phoneNumbers.list(caller.workspaceId, query);
  }

  @Post()
  @Unscoped()
  @Audited<PhoneNumber>('phone_number.added', ({ result: { number } }) => ({ id: number }))
  @ApiRequestBody(PhoneNumberInputDto)
  @ApiEnvelopeResponse({
    operationId: 'addPhoneNumber',
    summary: 'Add a phone number',
    description: 'Adds a phone number to the workspace without assigning it to an agent.',
    cost: 'No credits. Counts towards the quota of phone numbers.',
    status: 201,
    message: 'Phone number added',
    data: PhoneNumberDto,
    errors: [numberUnavailable(), quotaReached('phone_numbers', { limit: 100, used: 100 })],
  })
  add(@CurrentCaller() caller: Caller, @Body() body: PhoneNumberInputDto) {
    return this.phoneNumbers.add(caller.workspaceId, body.phone_number);
  }

  @Delete(':number')
  @Unscoped()
  @Audited('phone_number.released', ({ params }) => ({ id: params.number as string }))
  @ApiEnvelopeResponse({
    operationId: 'releasePhoneNumber',
    summary: 'Release a phone number',
    description: 'Removes the phone number from the workspace and from its agent.',
    status: 200,
    message: 'Phone number released',
    errors: [phoneNumberNotFound()],
  })
  remove(@CurrentCaller() caller: Caller, @Param('number') number: string) {
    return this.phoneNumbers.remove(caller.workspaceId, number);
  }
}
