import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/http/access';
import { Replica } from '../../../platform/replica/replica';
import { toCallFilter } from '../filter/call-filter';
import { type Measure, parseMeasure } from '../measurements/call-amounts';
import { findPercentile } from '../measurements/latency-bands';
import { tooManyGroups } from '../call-records/call-records.errors';
import type {
  CallMeasurementsDto,
  CallMeasurementsQuery,
  LatencyDto,
  MeasuredBucketDto,
  MeasurementTotalsDto,
  UsageDto,
} from './call-measurements.dto';
import {
  CallMeasurementsRepository,
  type FoundMeasurements,
  type MeasurementRow,
} from './call-measurements.repository';
import { CallSeriesRepository } from './call-series.repository';
import { findBuckets } from './find-buckets';
import { SeriesPermits } from './series-permits';

/** The number of sums that are read for one answer. */
const MAX_ROWS = 200_000;

/** The number of groups of all buckets of one answer. */
const MAX_GROUPS = 50_000;

/** Shows the latency and the usage of the calls of a workspace by time. */
@Injectable()
export class CallMeasurementsService {
  constructor(
    private readonly permits: SeriesPermits,
    private readonly series: CallSeriesRepository,
    private readonly measurements: CallMeasurementsRepository,
    private readonly replica: Replica,
  ) {}

  /**
   * @param response the answer; the next series is counted when it has been read
   * @throws 400 if there are too many buckets or groups, 503 if the workspace requests too many series at once
   */
  async get(caller: Caller, query: CallMeasurementsQuery, response: Response): Promise<CallMeasurementsDto> {
    await this.permits.acquire(caller, response);
    const reader = this.replica.open();
    const { start_date, end_date, interval, timezone, group_by, ...filters } = query;
    const times = { start_date, end_date, interval, timezone };
    const { createdFrom, createdUntil, bounds } = await findBuckets(
      this.series,
      reader,
      caller.workspaceId,
      times,
    );
    const { workspaceId, agentId, agentVersion, campaignId } = toCallFilter(caller, filters);
    const {
      asOf,
      groups: names,
      rows,
    } = await this.measurements.sum(reader, group_by, {
      ...{ workspaceId, agentId, agentVersion, campaignId, createdFrom, createdUntil, bounds },
      maxRows: MAX_ROWS + 1,
    });
    if (rows.length > MAX_ROWS || names.length * (bounds.length - 1) > MAX_GROUPS)
      throw tooManyGroups(MAX_GROUPS);
    reader.setHeader(response);
    return {
      timezone,
      interval,
      as_of: reader.asOf ?? asOf,
      totals: toTotals(rows),
      groups: group_by === undefined ? [{ ...NO_GROUP, ...toTotals(rows) }] : toGroups(names, rows),
      buckets: toBuckets(bounds, names, rows),
    };
  }
}

function groupRows<Key>(
  rows: MeasurementRow[],
  getKey: (row: MeasurementRow) => Key,
): Map<Key, MeasurementRow[]> {
  const groups = new Map<Key, MeasurementRow[]>();
  for (const row of rows) {
    const key = getKey(row);
    const group = groups.get(key);
    if (group) group.push(row);
    else groups.set(key, [row]);
  }
  return groups;
}

/** The amounts of each measure. */
function sumByMeasure(rows: MeasurementRow[]): { measure: Measure; amount: number }[] {
  return [...groupRows(rows, ([, , measure]) => measure)].flatMap(([name, ofMeasure]) => {
    const measure = parseMeasure(name);
    return measure ? [{ measure, amount: ofMeasure.reduce((sum, [, , , amount]) => sum + amount, 0) }] : [];
  });
}

function toLatency(rows: MeasurementRow[]): LatencyDto {
  const counts = new Map(
    sumByMeasure(rows).flatMap(({ measure, amount }) =>
      'latencyBand' in measure ? [[measure.latencyBand, amount] as const] : [],
    ),
  );
  return {
    turns: [...counts.values()].reduce((sum, count) => sum + count, 0),
    p50_ms: findPercentile(counts, 0.5),
    p90_ms: findPercentile(counts, 0.9),
    p95_ms: findPercentile(counts, 0.95),
  };
}

/** The quantities, those of a kind from the largest to the smallest. */
const toUsage = (rows: MeasurementRow[]): UsageDto[] =>
  sumByMeasure(rows)
    .flatMap(({ measure, amount }) =>
      'usage' in measure ? [{ kind: measure.usage, provider: measure.provider, amount }] : [],
    )
    .sort((one, other) => one.kind.localeCompare(other.kind) || other.amount - one.amount);

const toTotals = (rows: MeasurementRow[]): MeasurementTotalsDto => ({
  latency: toLatency(rows),
  usage: toUsage(rows),
});

type Name = FoundMeasurements['groups'][number];

const NO_GROUP: Name = { key: null, label: null };

const getName = (names: Name[], place: number): Name => names[place] ?? NO_GROUP;

const toGroups = (names: Name[], rows: MeasurementRow[]): CallMeasurementsDto['groups'] =>
  [...groupRows(rows, ([, group]) => group)]
    .map(([group, ofGroup]) => ({ ...getName(names, group), ...toTotals(ofGroup) }))
    .sort((one, other) => other.latency.turns - one.latency.turns);

function toBuckets(bounds: Date[], names: Name[], rows: MeasurementRow[]): MeasuredBucketDto[] {
  const byBucket = groupRows(rows, ([bucket]) => bucket);
  return bounds.slice(0, -1).map((start, index) => {
    const ofBucket = byBucket.get(index + 1) ?? [];
    return {
      start,
      end: bounds[index + 1] as Date,
      latency: toLatency(ofBucket),
      groups: [...groupRows(ofBucket, ([, group]) => group)]
        .map(([group, ofGroup]) => ({ key: getName(names, group).key, ...toLatency(ofGroup) }))
        .filter(({ turns }) => turns > 0),
    };
  });
}
