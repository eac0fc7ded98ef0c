import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/** Reads queries again after a change. */
export async function readAgain(queries: QueryClient, filters: QueryFilters): Promise<void> {
  const first = queries
    .getQueryCache()
    .findAll(filters)
    .filter(({ state }) => state.data === undefined && state.fetchStatus !== 'idle');
  await queries.invalidateQueries(filters);
  // Their first answers were under way, so these may be older than the change.
  await Promise.all(first.map(({ queryKey }) => queries.invalidateQueries({ queryKey, exact: true })));
}
