import { byName } from '../../platform/database/closed-list';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME, getExample } from '../../platform/validation/example';
import { DateTimeField, IntegerField, ListField } from '../../platform/validation/fields';
import { PhoneNumberField, TextField } from '../../platform/validation/text-fields';
import { PHONE_NUMBER_TYPE, PHONE_NUMBER_TYPES, type PhoneNumberType } from './phone-number.entity';

/** The body of a request that adds a number, or assigns it, which adds it if the workspace does not have it. */
@Example({ phone_number: '+15551234567' })
export class PhoneNumberInputDto {
  @PhoneNumberField() phone_number: string;
}

const PHONE_NUMBER_STATUSES = ['active', 'inactive'] as const;
export const PHONE_NUMBER_STATUS = byName(PHONE_NUMBER_STATUSES);

@Example({
  _id: EXAMPLE_IDS.phoneNumber,
  number: '+15551234567',
  status: PHONE_NUMBER_STATUS.inactive,
  type: PHONE_NUMBER_TYPE.inbound,
  agent_id: null,
  created_at: EXAMPLE_TIME,
})
export class PhoneNumberDto {
  @TextField() _id: string;
  @PhoneNumberField() number: string;
  @TextField({
    choices: PHONE_NUMBER_STATUSES,
    description: '`active` while an agent has the number, else `inactive`.',
  })
  status: (typeof PHONE_NUMBER_STATUSES)[number];
  @TextField({ choices: PHONE_NUMBER_TYPES }) type: PhoneNumberType;
  @TextField({ nullable: true, description: 'The agent that has the number. null: none.' })
  agent_id: string | null;
  @DateTimeField() created_at: Date;
}

@Example({ total: 1, page: 1, size: 10, phone_numbers: [getExample(PhoneNumberDto)] })
export class PhoneNumberListDto {
  @IntegerField() total: number;
  @IntegerField() page: number;
  @IntegerField() size: number;
  @ListField(() => PhoneNumberDto) phone_numbers: PhoneNumberDto[];
}
