import { type QueryFilters, useQueryClient } from '@tanstack/react-query';
import { api } from '../api/client';
import { readAgain } from './read-again';
import { usePolling } from './use-counts';
import { useLive } from './use-live';

const POLL_MS = 2_000;
const REPORTS_MS = 15_000;

/** No event announces turns, recordings and analyses, so the page polls. Some arrive seconds after the end. */
const pauseAfter = (endedAt: string | null | undefined) =>
  endedAt && Date.now() - Date.parse(endedAt) > REPORTS_MS ? (false as const) : POLL_MS;

/** The queries about calls. */
const OF_CALL: QueryFilters = {
  predicate: ({ queryKey }) => String(queryKey[1]).startsWith('/api/calls/{call_id}'),
};

/** A call with its transcript and its tools, which are read again until all of it is reported. */
export function useFollowedCall(id: string) {
  const queries = useQueryClient();
  const params = { params: { path: { call_id: id } } };
  const call = api.useQuery('get', '/api/calls/{call_id}', params, {
    staleTime: 0,
    refetchInterval: ({ state }) => pauseAfter(state.data?.data.ended_at),
  });
  /** The options of further queries about the call. */
  const follow = { staleTime: 0, refetchInterval: () => pauseAfter(call.data?.data.ended_at) };
  const transcript = api.useQuery('get', '/api/calls/{call_id}/transcript', params, follow);
  const invocations = api.useQuery('get', '/api/calls/{call_id}/tools', params, {
    staleTime: 0,
    refetchInterval: usePolling(),
  });
  const refresh = () => void readAgain(queries, OF_CALL);
  useLive((event) => {
    const isOfCall = event.kind === 'call' || event.kind === 'tool';
    if (event.kind === 'gap' || (isOfCall && event.call_id === id)) refresh();
  });
  return { call, transcript, invocations, follow, refresh };
}

export type FollowedCall = ReturnType<typeof useFollowedCall>;
