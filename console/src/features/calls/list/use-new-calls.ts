import { useEffect, useRef } from 'react';
import { api } from '../../../api/client';
import { usePolling } from '../../../live/use-counts';
import { useLive } from '../../../live/use-live';
import type { toQuery } from './call-filters';

const PAUSE_MS = 1_000;

/**
 * Counts the matching calls that the list does not show yet.
 * @param shown the count when the list was read; undefined: it is being read, or was refused
 */
export function useNewCalls(filters: ReturnType<typeof toQuery>, shown: number | undefined): number {
  const isRead = shown !== undefined;
  const query = { ...filters, sortBy: undefined, sortOrder: undefined, page: undefined, limit: 1 };
  const now = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { enabled: isRead, staleTime: 0, refetchInterval: usePolling() },
  );
  const timer = useRef<number>(undefined);
  useEffect(
    () => () => {
      window.clearTimeout(timer.current);
      timer.current = undefined;
    },
    [isRead],
  );
  useLive(({ kind }) => {
    // A refetch would also send a query that is not enabled.
    if (!isRead || (kind !== 'call' && kind !== 'gap')) return;
    timer.current ??= window.setTimeout(() => {
      timer.current = undefined;
      void now.refetch();
    }, PAUSE_MS);
  });
  return Math.max(0, (now.data?.pagination.total ?? 0) - (shown ?? Infinity));
}
