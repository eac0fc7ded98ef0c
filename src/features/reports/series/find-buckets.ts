import type { ReportReader } from '../../../platform/replica/report-reader';
import { tooManyBuckets } from '../call-records/call-records.errors';
import type { CallSeriesQuery } from './call-series.dto';
import type { CallSeriesRepository } from './call-series.repository';

/** The number of buckets of one answer. */
const MAX_BUCKETS = 2_000;

type Times = Pick<CallSeriesQuery, 'start_date' | 'end_date' | 'interval' | 'timezone'>;

/**
 * Finds the buckets that a query asks for.
 * @throws 400 if there are too many
 */
export async function findBuckets(
  series: CallSeriesRepository,
  reader: ReportReader,
  workspaceId: string,
  { start_date, end_date, interval, timezone }: Times,
) {
  const { bounds, ...period } = await series.findBuckets(reader, {
    workspaceId,
    start: start_date?.time ?? null,
    startIsDay: start_date?.isDay ?? false,
    end: end_date?.time ?? null,
    endIsDay: end_date?.isDay ?? false,
    interval,
    timezone,
    maxBuckets: MAX_BUCKETS,
  });
  if (!bounds) throw tooManyBuckets(MAX_BUCKETS);
  return { ...period, bounds };
}
