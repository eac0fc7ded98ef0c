import { Injectable } from '@nestjs/common';
import type { Caller } from '../http/access';
import { requestContext } from '../http/request-context';
import { WorkspaceSemaphore } from '../http/workspace-semaphore';
import { callFilterOf } from './call-filter';
import type { CallSeriesDto, CallSeriesQuery, SeriesTotalsDto } from './call-series.dto';
import { tooManyBuckets, tooManyGroups } from './call-records.errors';
import { CallSeriesRepository, type SeriesRow } from './call-series.repository';

/** Buckets of one answer. */
const MAX_BUCKETS = 2_000;

/** Groups of all buckets of one answer together, which is about 5 MB of JSON. */
const MAX_GROUPS = 50_000;

/** Series of one workspace at once, in this process: each may read many calls, and has a large answer. */
const MAX_SERIES = 2;

const WAIT_SECONDS = 5;

type CountedRow = SeriesRow & { bucket: number };

/** Counts the calls of a workspace by time. */
@Injectable()
export class CallSeriesService {
  private readonly permits = new WorkspaceSemaphore({
    permits: MAX_SERIES,
    resource: 'series',
    waitSeconds: WAIT_SECONDS,
  });

  constructor(private readonly series: CallSeriesRepository) {}

  /** @throws 400 if there are too many buckets or groups, 503 if the workspace asks for too many series at once */
  async get(caller: Caller, query: CallSeriesQuery): Promise<CallSeriesDto> {
    const abortSignal = () => requestContext.getStore()?.abortSignal;
    const release = await this.permits.acquire(caller.workspaceId, { abortSignal });
    try {
      return await this.count(caller, query);
    } finally {
      release();
    }
  }

  private async count(caller: Caller, query: CallSeriesQuery): Promise<CallSeriesDto> {
    const { start_date, end_date, interval, timezone, group_by, ...others } = query;
    const { createdFrom, createdUntil, bounds } = await this.series.findBuckets({
      workspaceId: caller.workspaceId,
      start: start_date?.time ?? null,
      startIsDay: start_date?.isDay ?? false,
      end: end_date?.time ?? null,
      endIsDay: end_date?.isDay ?? false,
      interval,
      timezone,
      maxBuckets: MAX_BUCKETS,
    });
    if (!bounds) throw tooManyBuckets(MAX_BUCKETS);
    const filter = { ...callFilterOf(caller, others), createdFrom, createdUntil };
    const rows = await this.series.count(filter, group_by, { bounds, maxRows: MAX_GROUPS + 1 });
    const counted = rows.filter((row): row is CountedRow => row.bucket !== null);
    const asOf = rows[0]?.asOf ?? new Date();
    return {
      timezone,
      interval,
      as_of: asOf,
      totals: totalsOf(counted),
      buckets: bucketsOf(bounds, counted, group_by !== undefined),
    };
  }
}

function totalsOf(rows: SeriesRow[]): SeriesTotalsDto {
  const sum = (name: 'calls' | 'connected' | 'failed' | 'underWay' | 'ended' | 'seconds' | 'credits') =>
    rows.reduce((total, row) => total + row[name], 0);
  const [seconds, ended] = [sum('seconds'), sum('ended')];
  return {
    calls: sum('calls'),
    connected: sum('connected'),
    failed: sum('failed'),
    under_way: sum('underWay'),
    seconds,
    credits: sum('credits'),
    average_duration_sec: ended === 0 ? 0 : Math.round(seconds / ended),
  };
}

const NOTHING = { calls: 0, connected: 0, failed: 0, seconds: 0, credits: 0 };

/** Every bucket has the same groups, those with the most calls first. */
function bucketsOf(bounds: Date[], rows: CountedRow[], isGrouped: boolean): CallSeriesDto['buckets'] {
  const groups = new Map<string | null, { label: string | null; calls: number }>();
  const rowsOfBuckets = new Map<number, Map<string | null, SeriesRow>>();
  for (const row of rows) {
    const calls = (groups.get(row.key)?.calls ?? 0) + row.calls;
    groups.set(row.key, { label: row.label, calls });
    const rowsOfBucket = rowsOfBuckets.get(row.bucket) ?? new Map<string | null, SeriesRow>();
    rowsOfBuckets.set(row.bucket, rowsOfBucket.set(row.key, row));
  }
  if (!isGrouped) groups.set(null, { label: null, calls: 0 });
  if (rows.length > MAX_GROUPS || groups.size * (bounds.length - 1) > MAX_GROUPS)
    throw tooManyGroups(MAX_GROUPS);
  const inOrder = [...groups].sort(([, one], [, other]) => other.calls - one.calls);
  return bounds.slice(0, -1).map((start, index) => {
    const rowsOfBucket = rowsOfBuckets.get(index + 1);
    const shown = inOrder.map(([key, { label }]) => {
      const { calls, connected, failed, seconds, credits } = rowsOfBucket?.get(key) ?? NOTHING;
      return { key, label, calls, connected, failed, seconds, credits };
    });
    return { start, end: bounds[index + 1] as Date, groups: shown };
  });
}
