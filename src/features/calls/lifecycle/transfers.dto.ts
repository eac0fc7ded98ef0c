import { Example } from '../../../platform/validation/example';
import { IntegerField } from '../../../platform/validation/fields';
import { PhoneNumberField } from '../../../platform/validation/text-fields';

@Example({ to_number: '+15551234567' })
export class TransferDto {
  @PhoneNumberField({ description: "A number of the agent's actions, such as `sales tel:+15551234567`." })
  to_number: string;
}

@Example({ to_number: '+15551234567', maximum_seconds: 3_600 })
export class AllowedTransferDto {
  @PhoneNumberField() to_number: string;
  @IntegerField({ description: 'The longest time for which the persons may be connected.' })
  maximum_seconds: number;
}
