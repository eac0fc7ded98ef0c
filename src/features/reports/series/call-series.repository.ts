import { Injectable } from '@nestjs/common';
import type { Reader } from '../../../platform/database/database';
import type { CallFilter } from '../filter/call-filter';
import { type FieldGroup, isFieldGroup, type SeriesGroup } from './call-series.dto';
import {
  type BucketParameters,
  COUNT_SERIES,
  FIND_BUCKETS,
  type FoundBuckets,
  type FoundSeries,
  READ_SERIES,
  READ_SERIES_BY_FINDING,
  type SeriesParameters,
  type SeriesRow,
} from './call-series.sql';
import { type CountedValues, getCountedValues } from '../filter/counted-values';

export type { BucketParameters, FoundBuckets, FoundSeries, SeriesRow };

/** Counts calls by time. */
@Injectable()
export class CallSeriesRepository {
  async findBuckets(reader: Reader, parameters: BucketParameters): Promise<FoundBuckets> {
    const [found] = await reader.query(FIND_BUCKETS, parameters);
    if (!found) throw new Error('The buckets of a series have no row');
    return found;
  }

  /** Counts the calls from one snapshot. */
  async count(
    reader: Reader,
    filter: CallFilter,
    group: SeriesGroup | FieldGroup | undefined,
    series: SeriesParameters,
  ): Promise<FoundSeries> {
    const [found] = await this.countBy(reader, filter, group, series);
    if (!found) throw new Error('A series has no row');
    return found;
  }

  private countBy(
    reader: Reader,
    filter: CallFilter,
    group: SeriesGroup | FieldGroup | undefined,
    series: SeriesParameters,
  ): Promise<FoundSeries[]> {
    if (isFieldGroup(group))
      return reader.query(READ_SERIES_BY_FINDING, { ...filter, ...series, finding: group });
    const by = group ?? 'all';
    const counted = countedFor(group, getCountedValues(filter));
    return counted
      ? reader.query(COUNT_SERIES[by], { ...filter, ...counted, ...series })
      : reader.query(READ_SERIES[by], { ...filter, ...series });
  }
}

/** The values to count by, if they are the values of the groups or there is one group. */
function countedFor(group: SeriesGroup | undefined, counted: CountedValues | undefined) {
  if (!group || !counted || counted.dimension === group) return counted;
  if (group === 'agent_version' && counted.dimension === 'agent') return { ...counted, dimension: group };
  return counted.dimension === 'all' ? { dimension: group, values: null } : undefined;
}
