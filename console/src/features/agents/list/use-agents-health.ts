import { useQuery } from '@tanstack/react-query';
import { send } from '../../../api/client';
import { ApiFailure } from '../../../api/failure';
import { type Counted, toFilters } from '../../../domain/counted-calls';
import { getWeek } from '../../../ui/filters/periods';
import { zone } from '../../../ui/moment';

interface Counts {
  calls: number;
  connected: number;
  failed: number;
}

export interface Health extends Counts {
  /** The outbound phone calls of these. */
  outbound: Counts;
}

export const NO_CALLS: Counts = { calls: 0, connected: 0, failed: 0 };

interface Series {
  buckets: { groups: ({ key: string | null } & Counts)[] }[];
}

const MINUTE_MS = 60_000;

const addUp = ({ buckets }: Series): Map<string, Counts> => {
  const sums = new Map<string, Counts>();
  for (const { key, calls, connected, failed } of buckets.flatMap(({ groups }) => groups)) {
    if (key === null) continue;
    const before = sums.get(key) ?? NO_CALLS;
    sums.set(key, {
      calls: before.calls + calls,
      connected: before.connected + connected,
      failed: before.failed + failed,
    });
  }
  return sums;
};

async function fetchCounts(counted: Counted): Promise<Map<string, Counts> | null> {
  const query = new URLSearchParams({
    ...{ interval: 'week', group_by: 'agent' },
    ...toFilters(counted),
    // The days of the overview and of analytics.
    ...{ start_date: getWeek().start, timezone: zone },
  });
  const response = await send(new Request(`/api/reports/calls/series?${query}`)).catch((error: unknown) => {
    // The server has no such report, or the credential may not read it.
    if (error instanceof ApiFailure && [403, 404].includes(error.status)) return null;
    throw error;
  });
  if (!response) return null;
  return addUp(((await response.json()) as { data: Series }).data);
}

async function fetchHealth(): Promise<Map<string, Health> | null> {
  const [all, outbound] = await Promise.all([fetchCounts('all'), fetchCounts('outbound')]);
  if (!all || !outbound) return null;
  return new Map([...all].map(([id, counts]) => [id, { ...counts, outbound: outbound.get(id) ?? NO_CALLS }]));
}

/** The calls of the last seven days by agent id; null: the server has no such report. */
export const useAgentsHealth = () =>
  useQuery({
    queryKey: ['get', '/api/reports/calls/series', 'agents'],
    queryFn: fetchHealth,
    staleTime: MINUTE_MS,
  });
