import { keepPreviousData } from '@tanstack/react-query';
import { api, type Schemas } from './client';
import type { operations } from './schema';

export type Series = Schemas['CallSeriesDto'];
export type SeriesQuery = NonNullable<operations['getCallSeries']['parameters']['query']>;

export type SeriesSums = Pick<
  Schemas['SeriesGroupDto'],
  'calls' | 'connected' | 'failed' | 'seconds' | 'credits'
>;

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export const GROUPS = ['agent', 'outcome', 'campaign', 'direction', 'disconnect_reason'] as const;

/** Calls over time. */
export const useSeries = (query: SeriesQuery, isEnabled = true) =>
  api.useQuery(
    'get',
    '/api/reports/calls/series',
    { params: { query } },
    { enabled: isEnabled, placeholderData: keepPreviousData, select: ({ data }) => data },
  );

export const NO_SUMS: SeriesSums = { calls: 0, connected: 0, failed: 0, seconds: 0, credits: 0 };

/** The groups of a bucket together. */
export const sumOf = (groups: SeriesSums[]): SeriesSums =>
  groups.reduce(
    (sum, { calls, connected, failed, seconds, credits }) => ({
      calls: sum.calls + calls,
      connected: sum.connected + connected,
      failed: sum.failed + failed,
      seconds: sum.seconds + seconds,
      credits: sum.credits + credits,
    }),
    NO_SUMS,
  );
