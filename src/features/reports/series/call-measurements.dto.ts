import { PickType } from '@nestjs/swagger';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../../platform/validation/example';
import { DateTimeField, IntegerField, ListField, NestedField } from '../../../platform/validation/fields';
import { TextField } from '../../../platform/validation/text-fields';
import { USAGE_FIELDS, type UsageField } from '../measurements/call-amounts';
import { CallSeriesQuery, SERIES_INTERVALS, SeriesGroupDto, type SeriesInterval } from './call-series.dto';

const optional = true;
const nullable = true;

export const MEASUREMENT_GROUPS = ['agent', 'agent_version', 'campaign'] as const;
export type MeasurementGroup = (typeof MEASUREMENT_GROUPS)[number];

const USAGES = Object.keys(USAGE_FIELDS) as UsageField[];

export class CallMeasurementsQuery extends PickType(CallSeriesQuery, [
  'start_date',
  'end_date',
  'interval',
  'timezone',
  'agent_id',
  'agent_version',
  'campaign_id',
]) {
  @TextField({ optional, choices: MEASUREMENT_GROUPS }) group_by?: MeasurementGroup;
}

export class LatencyDto {
  @IntegerField({ description: 'The answers of agents whose latency is known.' }) turns: number;
  @IntegerField({ nullable, description: 'The median. null: there are none.' }) p50_ms: number | null;
  @IntegerField({ nullable, description: 'Nine of ten answers are not slower.' }) p90_ms: number | null;
  @IntegerField({ nullable, description: '19 of 20 answers are not slower.' }) p95_ms: number | null;
}

export class UsageDto {
  @TextField({ choices: USAGES }) kind: UsageField;
  @TextField({ description: 'As the runtime named it; empty if it did not.' }) provider: string;
  @IntegerField() amount: number;
}

export class MeasuredGroupDto extends SeriesGroupDto {
  @NestedField(() => LatencyDto) latency: LatencyDto;
  @ListField(() => UsageDto) usage: UsageDto[];
}

export class BucketLatencyDto extends LatencyDto {
  @TextField({ nullable, description: 'The key of the group.' }) key: string | null;
}

export class MeasuredBucketDto {
  @DateTimeField() start: Date;
  @DateTimeField({ description: 'Exclusive.' }) end: Date;
  @NestedField(() => LatencyDto, { description: 'Of all groups.' }) latency: LatencyDto;
  @ListField(() => BucketLatencyDto, { description: 'The groups that have answers in it.' })
  groups: BucketLatencyDto[];
}

export class MeasurementTotalsDto {
  @NestedField(() => LatencyDto) latency: LatencyDto;
  @ListField(() => UsageDto) usage: UsageDto[];
}

const LATENCY = { turns: 48, p50_ms: 910, p90_ms: 1_640, p95_ms: 2_050 };
const USAGE = [{ kind: 'stt_seconds', provider: 'deepgram', amount: 312 }];

@Example({
  timezone: 'Europe/Berlin',
  interval: 'day',
  as_of: EXAMPLE_TIME,
  totals: { latency: LATENCY, usage: USAGE },
  groups: [{ key: EXAMPLE_IDS.agent, label: 'Front desk', latency: LATENCY, usage: USAGE }],
  buckets: [
    {
      start: '2026-03-01T23:00:00.000Z',
      end: '2026-03-02T23:00:00.000Z',
      latency: LATENCY,
      groups: [{ key: EXAMPLE_IDS.agent, ...LATENCY }],
    },
  ],
})
export class CallMeasurementsDto {
  @TextField() timezone: string;
  @TextField({ choices: SERIES_INTERVALS }) interval: SeriesInterval;
  @DateTimeField() as_of: Date;
  @NestedField(() => MeasurementTotalsDto) totals: MeasurementTotalsDto;
  @ListField(() => MeasuredGroupDto, {
    description: 'Those with the most answers first. Without `group_by`, one whose key is null.',
  })
  groups: MeasuredGroupDto[];
  @ListField(() => MeasuredBucketDto) buckets: MeasuredBucketDto[];
}
