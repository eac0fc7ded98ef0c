import { Example, EXAMPLE_IDS, EXAMPLE_TIME, exampleOf } from '../validation/example';
import { DateTimeField, IntegerField, ListField } from '../validation/fields';
import { PhoneNumberField, TextField } from '../validation/text-fields';
import type { PhoneNumberType } from './phone-number.entity';

/** To add a number, or to assign it, which adds it where the workspace does not have it. */
@Example({ phone_number: '+15551234567' })
export class PhoneNumberInputDto {
  @PhoneNumberField() phone_number: string;
}

@Example({
  _id: EXAMPLE_IDS.phoneNumber,
  number: '+15551234567',
  status: 'inactive',
  type: 'inbound',
  created_at: EXAMPLE_TIME,
})
export class PhoneNumberDto {
  @TextField() _id: string;
  @PhoneNumberField() number: string;
  @TextField({
    choices: ['active', 'inactive'],
    description: '`active` while an agent has the number, else `inactive`.',
  })
  status: 'active' | 'inactive';
  @TextField({ choices: ['inbound', 'outbound'] }) type: PhoneNumberType;
  @DateTimeField() created_at: Date;
}

@Example({ total: 1, page: 1, size: 10, phone_numbers: [exampleOf(PhoneNumberDto)] })
export class PhoneNumberListDto {
  @IntegerField() total: number;
  @IntegerField() page: number;
  @IntegerField() size: number;
  @ListField(() => PhoneNumberDto) phone_numbers: PhoneNumberDto[];
}
