import { OmitType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ValidateBy } from 'class-validator';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../../platform/validation/example';
import { parseDateTime } from '../../../platform/validation/date-time';
import { field } from '../../../platform/validation/field';
import { DateTimeField, IntegerField, ListField, NestedField } from '../../../platform/validation/fields';
import { TextField, TimeZoneField } from '../../../platform/validation/text-fields';
import { CallFilterQuery } from '../filter/call-filter.dto';

const optional = true;

export const SERIES_INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export type SeriesInterval = (typeof SERIES_INTERVALS)[number];

export const SERIES_GROUPS = [
  'agent',
  'agent_version',
  'outcome',
  'campaign',
  'direction',
  'disconnect_reason',
] as const;
export type SeriesGroup = (typeof SERIES_GROUPS)[number];

/** A group for each value of a field of the agent's analysis. */
export type FieldGroup = `field.${string}`;
const FIELD_GROUP = /^field\.[a-z][a-z0-9_]{0,59}$/;

export const isFieldGroup = (group: unknown): group is FieldGroup =>
  typeof group === 'string' && FIELD_GROUP.test(group);

const GroupField = () =>
  field(
    {
      optional,
      description:
        "`field.NAME`, with `agent_id`: a field of the agent's analysis that has an enumeration, or is a boolean.",
    },
    { type: 'string', anyOf: [{ enum: SERIES_GROUPS }, { pattern: FIELD_GROUP.source }] },
    ValidateBy({
      name: 'isGroup',
      validator: {
        validate: (value: unknown) => SERIES_GROUPS.some((group) => group === value) || isFieldGroup(value),
        defaultMessage: () => `$property must be one of ${SERIES_GROUPS.join(', ')}, or field.NAME`,
      },
    }),
  );

/** A moment, or a day of the time zone of the request. */
export class DayOrTime {
  constructor(
    /** The moment, or the start of the day in UTC. */
    readonly time: Date,
    readonly isDay: boolean,
  ) {}

  static parse(text: string): DayOrTime | undefined {
    const time = parseDateTime(text);
    return time && new DayOrTime(time, !text.includes('T'));
  }
}

const DayOrTimeField = (description: string) =>
  field(
    { optional, description },
    { type: 'string', format: 'date-time' },
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' ? (DayOrTime.parse(value) ?? value) : value,
    ),
    ValidateBy({
      name: 'isDayOrTime',
      validator: {
        validate: (value: unknown) => value instanceof DayOrTime,
        defaultMessage: () =>
          '$property must be an ISO 8601 date or date-time such as 2026-01-31T09:30:00.000Z',
      },
    }),
  );

export class CallSeriesQuery extends OmitType(CallFilterQuery, ['start_date', 'end_date']) {
  @DayOrTimeField('Calls created at this time or later. A date is a day of the time zone.')
  start_date?: DayOrTime;

  @DayOrTimeField('Calls created at this time or earlier. A date is a day of the time zone.')
  end_date?: DayOrTime;

  @TextField({ optional, choices: SERIES_INTERVALS, default: 'day' }) interval: SeriesInterval = 'day';

  @TimeZoneField({ optional, default: 'UTC' }) timezone: string = 'UTC';

  @GroupField() group_by?: SeriesGroup | FieldGroup;
}

export class SeriesTotalsDto {
  @IntegerField() calls: number;
  @IntegerField({ description: 'All that were connected, those still talking included.' }) connected: number;
  @IntegerField() failed: number;
  @IntegerField({ description: 'Calls that have not ended.' }) under_way: number;
  @IntegerField({ description: 'How long the calls lasted that were connected and have ended.' })
  seconds: number;
  @IntegerField({ description: 'What the calls cost.' }) credits: number;
  @IntegerField({ description: 'Of the calls that were connected and have ended.' })
  average_duration_sec: number;
}

export class SeriesSumsDto {
  @IntegerField() calls: number;
  @IntegerField() connected: number;
  @IntegerField() failed: number;
  @IntegerField() seconds: number;
  @IntegerField() credits: number;
}

const KEY = 'null: the calls that have none. A version of an agent: `<agent_id>/<version>`.';

export class SeriesGroupDto {
  @TextField({ nullable: true, description: KEY }) key: string | null;
  @TextField({
    nullable: true,
    description:
      'The name of the agent or the campaign, else the key. A version of an agent: `<name> v<version>`.',
  })
  label: string | null;
}

export class SeriesCountDto extends SeriesSumsDto {
  @TextField({ nullable: true, description: KEY }) key: string | null;
}

export class SeriesBucketDto {
  @DateTimeField() start: Date;
  @DateTimeField({ description: 'Exclusive.' }) end: Date;
  @ListField(() => SeriesCountDto, { description: 'Those of the series, in the same order.' })
  groups: SeriesCountDto[];
  @NestedField(() => SeriesSumsDto, {
    nullable: true,
    description: 'The calls of all other outcomes together. null: the series has no others.',
  })
  other: SeriesSumsDto | null;
}

const SUMS = { calls: 1, connected: 1, failed: 0, seconds: 125, credits: 3 };

@Example({
  timezone: 'Europe/Berlin',
  interval: 'day',
  as_of: EXAMPLE_TIME,
  totals: { ...SUMS, under_way: 0, average_duration_sec: 125 },
  groups: [{ key: EXAMPLE_IDS.agent, label: 'Front desk' }],
  buckets: [
    {
      start: '2026-03-01T23:00:00.000Z',
      end: '2026-03-02T23:00:00.000Z',
      groups: [{ key: EXAMPLE_IDS.agent, ...SUMS }],
      other: null,
    },
  ],
})
export class CallSeriesDto {
  @TextField() timezone: string;
  @TextField({ choices: SERIES_INTERVALS }) interval: SeriesInterval;
  @DateTimeField() as_of: Date;
  @NestedField(() => SeriesTotalsDto) totals: SeriesTotalsDto;
  @ListField(() => SeriesGroupDto, {
    description: 'Those with the most calls first. Without `group_by`, one whose key is null.',
  })
  groups: SeriesGroupDto[];
  @ListField(() => SeriesBucketDto) buckets: SeriesBucketDto[];
}
