import { useQuery } from '@tanstack/react-query';
import { send } from '../../../api/client';
import { ApiFailure } from '../../../api/failure';
import { firstOfWeek, zone } from '../../../ui/moment';

export interface Health {
  calls: number;
  connected: number;
  failed: number;
}

interface Series {
  buckets: { groups: ({ key: string | null } & Health)[] }[];
}

const MINUTE_MS = 60_000;

const addUp = ({ buckets }: Series): Map<string, Health> => {
  const sums = new Map<string, Health>();
  for (const { key, calls, connected, failed } of buckets.flatMap(({ groups }) => groups)) {
    if (key === null) continue;
    const before = sums.get(key) ?? { calls: 0, connected: 0, failed: 0 };
    sums.set(key, {
      calls: before.calls + calls,
      connected: before.connected + connected,
      failed: before.failed + failed,
    });
  }
  return sums;
};

async function fetchHealth(): Promise<Map<string, Health> | null> {
  const query = new URLSearchParams({
    ...{ interval: 'week', group_by: 'agent' },
    // The days of the overview and of analytics.
    ...{ start_date: firstOfWeek(), timezone: zone },
  });
  const response = await send(new Request(`/api/reports/calls/series?${query}`)).catch((error: unknown) => {
    // The server has no such report, or the credential may not read it.
    if (error instanceof ApiFailure && [403, 404].includes(error.status)) return null;
    throw error;
  });
  if (!response) return null;
  return addUp(((await response.json()) as { data: Series }).data);
}

/** The calls of the last seven days by agent id; null: the server has no such report. */
export const useAgentsHealth = () =>
  useQuery({
    queryKey: ['get', '/api/reports/calls/series', 'agents'],
    queryFn: fetchHealth,
    staleTime: MINUTE_MS,
  });
