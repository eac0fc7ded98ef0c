import { useQuery } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { client } from '../api/client';
import { useIsScoped } from '../session/session';
import { type Counts, getCounts, subscribe } from './live-events';

async function countCalls(status: keyof Counts): Promise<number> {
  const { data } = await client.GET('/api/calls', {
    params: { query: { status: [status], limit: 1 } },
  });
  return data?.pagination.total ?? 0;
}

/** The polling interval of sessions without a stream, which scoped credentials do not get. */
const POLL_MS = 5_000;

export const usePolling = () => (useIsScoped() ? POLL_MS : (false as const));

/** The number of calls in progress, by status, if the stream has sent it. */
export const useStreamedCounts = (): Counts | undefined => useSyncExternalStore(subscribe, getCounts);

/** The number of calls in progress, by status. It is requested until the stream sends the first counts. */
export function useCounts() {
  const refetchInterval = usePolling();
  const told = useStreamedCounts();
  const counted = useQuery({
    queryKey: ['get', '/api/calls', 'counts'],
    queryFn: async (): Promise<Counts> => {
      const [queued, accepted, connected] = await Promise.all([
        countCalls('queued'),
        countCalls('accepted'),
        countCalls('connected'),
      ]);
      return { queued, accepted, connected };
    },
    enabled: told === undefined,
    staleTime: 0,
    refetchInterval,
  });
  return { ...counted, data: told ?? counted.data };
}
