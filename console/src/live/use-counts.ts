import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { client } from '../api/client';
import type { Counts } from './live-events';
import { useLive } from './use-live';

async function countOf(status: keyof Counts): Promise<number> {
  const { data } = await client.GET('/api/calls', {
    params: { query: { status: [status], limit: 1 } },
  });
  return data?.pagination.total ?? 0;
}

/** How many calls are under way, by status. The stream tells changes; until one comes, they are counted. */
export function useCounts() {
  const [told, setTold] = useState<Counts>();
  useLive((event) => {
    if (event.kind === 'counts') setTold(event);
    // What was told may be old.
    if (event.kind === 'gap') setTold(undefined);
  });
  const counted = useQuery({
    queryKey: ['get', '/api/calls', 'counts'],
    queryFn: async (): Promise<Counts> => {
      const [queued, accepted, connected] = await Promise.all([
        countOf('queued'),
        countOf('accepted'),
        countOf('connected'),
      ]);
      return { queued, accepted, connected };
    },
    enabled: told === undefined,
    staleTime: 0,
  });
  return { ...counted, data: told ?? counted.data };
}
