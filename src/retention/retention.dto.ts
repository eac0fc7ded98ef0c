import { Example } from '../validation/example';
import { IntegerField } from '../validation/fields';
import { DAYS } from './workspace-retention.entity';

const days = (description: string) => IntegerField({ ...DAYS, nullable: true, description });

const OPTIONAL = 'null: for ever.';

@Example({ transcripts_days: 90, recordings_days: 30, calls_days: null })
export class RetentionDto {
  @days(`Days after the end of a call until its transcript is removed. ${OPTIONAL}`)
  transcripts_days: number | null;

  @days(`Days after the end of a call until the address of its recording is removed. ${OPTIONAL}`)
  recordings_days: number | null;

  @days(
    'Days after the end of a call until the call itself is deleted, with all that it left behind. What its runtime ' +
      `reports later, such as an opt-out, is ignored. ${OPTIONAL}`,
  )
  calls_days: number | null;
}
