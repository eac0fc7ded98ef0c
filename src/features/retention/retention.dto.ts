import { Example } from '../../platform/validation/example';
import { BooleanField, IntegerField, NestedField } from '../../platform/validation/fields';
import { DAYS, MAX_COUNTED } from './workspace-retention.entity';

const days = (description: string) => IntegerField({ ...DAYS, nullable: true, description });

const proposedDays = () =>
  IntegerField({ ...DAYS, optional: true, fromText: true, description: 'Without it: for ever.' });

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

export class RetentionPreviewQuery {
  @proposedDays() transcripts_days?: number;
  @proposedDays() recordings_days?: number;
  @proposedDays() calls_days?: number;
}

@Example({ count: 1_204, exact: true })
export class DueCountDto {
  @IntegerField() count: number;
  @BooleanField({
    description: `false: at least as many. The oldest ${MAX_COUNTED.toLocaleString('en')} calls were looked at.`,
  })
  exact: boolean;
}

@Example({
  calls: { count: 1_204, exact: true },
  transcripts: { count: 5_120, exact: false },
  recordings: { count: 0, exact: true },
})
export class RetentionPreviewDto {
  @NestedField(() => DueCountDto) calls: DueCountDto;
  @NestedField(() => DueCountDto, { description: 'Those of the calls to be deleted included.' })
  transcripts: DueCountDto;
  @NestedField(() => DueCountDto, { description: 'Those of the calls to be deleted included.' })
  recordings: DueCountDto;
}
