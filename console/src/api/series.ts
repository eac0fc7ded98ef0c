import { api, type Schemas } from './client';
import type { operations } from './schema';

export type Series = Schemas['CallSeriesDto'];
export type SeriesQuery = NonNullable<operations['getCallSeries']['parameters']['query']>;

export type SeriesSums = Schemas['SeriesSumsDto'];

export const INTERVALS = ['hour', 'day', 'week', 'month'] as const;
export const GROUPS = [
  'agent',
  'agent_version',
  'campaign',
  'direction',
  'outcome',
  'disconnect_reason',
] as const;
export type Group = (typeof GROUPS)[number];

/** The statistics of calls over time. The last ones stay until others by the same groups are read. */
export const useSeries = (query: SeriesQuery, isEnabled = true) =>
  api.useQuery(
    'get',
    '/api/reports/calls/series',
    { params: { query } },
    {
      enabled: isEnabled,
      placeholderData: (last, lastQuery) =>
        lastQuery?.queryKey[2]?.params?.query?.group_by === query.group_by ? last : undefined,
      select: ({ data }) => data,
    },
  );

/** The connected calls that have ended, by whether somebody spoke with the agent. */
export type Contacts = Schemas['ContactResultsDto'];

const RESULTS: Record<string, keyof Contacts | undefined> = {
  voicemail_reached: 'voicemail',
  inactivity: 'inactivity',
};

/** Counts the contacts of a series that is grouped by `disconnect_reason`. A call in progress has no reason. */
export function countContacts({ buckets }: Series): Contacts {
  const contacts: Contacts = { reached: 0, voicemail: 0, inactivity: 0 };
  for (const { key, connected } of buckets.flatMap(({ groups }) => groups)) {
    if (key !== null) contacts[RESULTS[key] ?? 'reached'] += connected;
  }
  return contacts;
}

/** The totals and the contacts of a time. */
export type Sums = Series['totals'] & Partial<Contacts>;

export const NO_SUMS: SeriesSums = { calls: 0, connected: 0, failed: 0, seconds: 0, credits: 0 };

/** Adds up several sums. */
export const addSums = (groups: SeriesSums[]): SeriesSums =>
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

/** The sums of all calls of a bucket. */
export const sumBucket = ({ groups, other }: Series['buckets'][number]): SeriesSums =>
  addSums(other ? [...groups, other] : groups);

/** Whether a time is in a bucket, which is not over then. */
export const isInBucket = ({ start, end }: { start: string; end: string }, at: string) =>
  Date.parse(start) <= Date.parse(at) && Date.parse(at) < Date.parse(end);
