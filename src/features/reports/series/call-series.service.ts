import { Injectable } from '@nestjs/common';
import type { Response } from 'express';
import type { Caller } from '../../../platform/http/access';
import { Replica } from '../../../platform/replica/replica';
import type { ReportReader } from '../../../platform/replica/report-reader';
import { jsonBytes } from '../../../platform/validation/json-bytes';
import { toCallFilter } from '../filter/call-filter';
import { AgentAnalysisService } from '../../agents/agent-analysis.service';
import {
  type CallSeriesDto,
  type CallSeriesQuery,
  isFieldGroup,
  type SeriesSumsDto,
  type SeriesTotalsDto,
} from './call-series.dto';
import { notCountedByField, seriesTooLarge, tooManyGroups } from '../call-records/call-records.errors';
import { CallSeriesRepository, type FoundSeries, type SeriesRow } from './call-series.repository';
import { findBuckets } from './find-buckets';
import { SeriesPermits } from './series-permits';

/** The number of outcomes, or values of a field, that are groups of their own. A runtime may report another outcome for each call. */
const MAX_OUTCOMES = 1_000;

/** The number of groups of all buckets of one answer. */
const MAX_ROWS = 50_000;

/** The size of an answer. */
const MAX_MEGABYTES = 8;

/** The size of a group in a bucket as JSON, without its key: the names, and numbers of some digits. */
const ROW_BYTES = 110;

/** Counts the calls of a workspace by time. */
@Injectable()
export class CallSeriesService {
  constructor(
    private readonly permits: SeriesPermits,
    private readonly series: CallSeriesRepository,
    private readonly replica: Replica,
    private readonly analyses: AgentAnalysisService,
  ) {}

  /**
   * @param response the answer with the series; the next series is counted when it has been read
   * @throws 400 if there are too many buckets or groups, 503 if the workspace requests too many series at once
   */
  async get(caller: Caller, query: CallSeriesQuery, response: Response): Promise<CallSeriesDto> {
    await this.assertGroup(caller, query);
    await this.permits.acquire(caller, response);
    const reader = this.replica.open();
    const series = await this.count(reader, caller, query);
    reader.setHeader(response);
    return series;
  }

  /** @throws 400 if the calls cannot be counted by the field */
  private async assertGroup({ workspaceId }: Caller, { group_by, agent_id }: CallSeriesQuery): Promise<void> {
    if (!isFieldGroup(group_by)) return;
    if (agent_id === undefined) throw notCountedByField('agent_id must name the agent that has the field');
    const { fields } = await this.analyses.find(workspaceId, agent_id);
    const field = fields.find(({ name }) => `field.${name}` === group_by);
    if (!field?.enum && field?.type !== 'boolean')
      throw notCountedByField(
        'group_by must be a field of the agent that has an enumeration, or is a boolean',
      );
  }

  private async count(reader: ReportReader, caller: Caller, query: CallSeriesQuery): Promise<CallSeriesDto> {
    const { start_date, end_date, interval, timezone, group_by, ...others } = query;
    const times = { start_date, end_date, interval, timezone };
    const { createdFrom, createdUntil, bounds } = await findBuckets(
      this.series,
      reader,
      caller.workspaceId,
      times,
    );
    const filter = { ...toCallFilter(caller, others), createdFrom, createdUntil };
    const found = await this.series.count(reader, filter, group_by, {
      bounds,
      maxGroups: group_by === 'outcome' || isFieldGroup(group_by) ? MAX_OUTCOMES : MAX_ROWS,
      maxRows: MAX_ROWS + 1,
    });
    if (group_by === undefined && found.groups.length === 0) found.groups.push({ key: null, label: null });
    assertSize(bounds.length - 1, found);
    return {
      timezone,
      interval,
      as_of: reader.asOf ?? found.asOf,
      totals: sumTotals(found.rows),
      groups: found.groups,
      buckets: toBuckets(bounds, found),
    };
  }
}

/** @throws 400 if the answer would be too large */
function assertSize(buckets: number, { groups, rows }: FoundSeries): void {
  if (rows.length > MAX_ROWS || groups.length * buckets > MAX_ROWS) throw tooManyGroups(MAX_ROWS);
  const bytes = groups.reduce((sum, { key, label }) => {
    const rowBytes = jsonBytes(key) + ROW_BYTES;
    return sum + rowBytes * (buckets + 1) + jsonBytes(label);
  }, 0);
  if (bytes > MAX_MEGABYTES * 1024 * 1024) throw seriesTooLarge(MAX_MEGABYTES);
}

function sumTotals(rows: SeriesRow[]): SeriesTotalsDto {
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

const toSums = ({ calls, connected, failed, seconds, credits }: SeriesSumsDto): SeriesSumsDto => ({
  calls,
  connected,
  failed,
  seconds,
  credits,
});

const NOTHING: SeriesSumsDto = { calls: 0, connected: 0, failed: 0, seconds: 0, credits: 0 };

/** Every bucket has the same groups, in the same order. */
function toBuckets(bounds: Date[], { groups, rows }: FoundSeries): CallSeriesDto['buckets'] {
  // The largest groups come first. One last group has all others.
  const width = groups.length + 1;
  const cells = new Map(rows.map((row) => [row.bucket * width + row.group, row]));
  const hasOthers = rows.some(({ group }) => group === width);
  const sumsAt = (bucket: number, group: number) => toSums(cells.get(bucket * width + group) ?? NOTHING);

  return bounds.slice(0, -1).map((start, index) => ({
    start,
    end: bounds[index + 1] as Date,
    groups: groups.map(({ key }, place) => ({ key, ...sumsAt(index + 1, place + 1) })),
    other: hasOthers ? sumsAt(index + 1, width) : null,
  }));
}
