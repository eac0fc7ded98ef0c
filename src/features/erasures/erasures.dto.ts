import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { BooleanField, DateTimeField, IntegerField } from '../../platform/validation/fields';
import { PhoneNumberField, TextField } from '../../platform/validation/text-fields';
import { ERASURE_STATUS, ERASURE_STATUSES, type ErasureStatus } from './erasure.entity';

@Example({ phone_number: '+15551234567' })
export class EraseDto {
  @PhoneNumberField({ asGiven: true }) phone_number: string;
}

@Example({ erasure_id: EXAMPLE_IDS.erasure, status: ERASURE_STATUS.pending })
export class RequestedErasureDto {
  @TextField() erasure_id: string;
  @TextField({
    choices: ERASURE_STATUSES,
    description:
      '`waiting`: for calls that are under way, for what has only just ended, or for an Idempotency-Key that has the ' +
      'number in it, which is deleted a day after its request.',
  })
  status: ErasureStatus;
}

@Example({
  erasure_id: EXAMPLE_IDS.erasure,
  status: ERASURE_STATUS.completed,
  created_at: EXAMPLE_TIME,
  completed_at: EXAMPLE_TIME,
  calls: 3,
  recipients: 1,
  calls_under_way: 0,
  do_not_call: true,
})
export class ErasureDto extends RequestedErasureDto {
  @DateTimeField() created_at: Date;
  @DateTimeField({ nullable: true }) completed_at: Date | null;
  @IntegerField({ description: 'How many calls were erased so far.' }) calls: number;
  @IntegerField({ description: 'How many recipients of campaigns were erased so far.' }) recipients: number;
  @IntegerField({ description: 'How many calls it waits for.' }) calls_under_way: number;
  @BooleanField({
    description:
      'Once it is completed: the number was on the do-not-call list, and stays on it, so that the person is not called.',
  })
  do_not_call: boolean;
}
