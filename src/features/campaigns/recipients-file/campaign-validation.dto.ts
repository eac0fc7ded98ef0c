import { LeftOutRowsDto, RowErrorDto } from '../../../platform/csv/left-out-rows.dto';
import { NotAlways } from '../../../platform/http/envelope';
import { Example } from '../../../platform/validation/example';
import { IntegerField, ListField, NestedField } from '../../../platform/validation/fields';
import { TextsField } from '../../../platform/validation/item-fields';
import { PhoneNumberField, TextField } from '../../../platform/validation/text-fields';

class SkippedRecipientsDto {
  @IntegerField({ description: 'Numbers on the do-not-call list.' }) do_not_call: number;
}

class FirstCallDto {
  @PhoneNumberField() phone_number: string;
  @TextField() greeting: string;
}

@Example({
  rows: 2,
  recipients: 1,
  errors: [
    {
      row: 3,
      column: 'phone_number',
      value: '12',
      message: 'the phone number "12" is not a possible number in E.164 form, such as +15551234567',
    },
  ],
  skipped: { do_not_call: 0 },
  unfilled_variables: ['appointment_time'],
  first_calls: [{ phone_number: '+15551234567', greeting: 'Hello Ada.' }],
})
export class CampaignValidationDto {
  @IntegerField({ description: 'Rows below the header, as far as the file was read.' }) rows: number;
  @IntegerField({
    description: 'Those who would be called: different numbers that are not on the do-not-call list.',
  })
  recipients: number;
  @ListField(() => RowErrorDto, { description: 'The first 20 for which the file would be refused.' })
  errors: RowErrorDto[];
  @NestedField(() => SkippedRecipientsDto) skipped: SkippedRecipientsDto;
  @NotAlways()
  @NestedField(() => LeftOutRowsDto, {
    optional: true,
    description: 'The rows with errors that are left out. Present if invalidRows is skip.',
  })
  left_out?: LeftOutRowsDto;
  @TextsField({
    description:
      'Variables in the texts of the agent that no column fills, without `now` and `today`, which the voice runtime fills.',
  })
  unfilled_variables: string[];
  @ListField(() => FirstCallDto, {
    description: 'The first of them in the file, with their greeting filled in.',
  })
  first_calls: FirstCallDto[];
}
