import { Injectable } from '@nestjs/common';
import { Database } from '../database/database';
import type { CallFilter } from './call-filter';
import type { SeriesGroup } from './call-series.dto';
import {
  type BucketParameters,
  COUNT_SERIES,
  FIND_BUCKETS,
  type FoundBuckets,
  READ_SERIES,
  type SeriesParameters,
  type SeriesRow,
} from './call-series.sql';
import { type CountedValues, countedValuesOf } from './counted-values';

export type { BucketParameters, FoundBuckets, SeriesRow };

/** Counts calls by time. */
@Injectable()
export class CallSeriesRepository {
  constructor(private readonly database: Database) {}

  async findBuckets(parameters: BucketParameters): Promise<FoundBuckets> {
    const [found] = await this.database.query(FIND_BUCKETS, parameters);
    if (!found) throw new Error('The buckets of a series have no row');
    return found;
  }

  /** At least one row, from one snapshot. */
  count(filter: CallFilter, group: SeriesGroup | undefined, series: SeriesParameters): Promise<SeriesRow[]> {
    const by = group ?? 'all';
    const counted = countedFor(group, countedValuesOf(filter));
    return counted
      ? this.database.query(COUNT_SERIES[by], { ...filter, ...counted, ...series })
      : this.database.query(READ_SERIES[by], { ...filter, ...series });
  }
}

/** The values to count by, if they are those of the groups or there is one group. */
function countedFor(group: SeriesGroup | undefined, counted: CountedValues | undefined) {
  if (!group || !counted || counted.dimension === group) return counted;
  return counted.dimension === 'all' ? { dimension: group, values: null } : undefined;
}
