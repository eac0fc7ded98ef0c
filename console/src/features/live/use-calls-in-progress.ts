import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { client } from '../../api/client';
import { usePolling } from '../../live/use-counts';
import { useLive } from '../../live/use-live';
import { addNewest, applyChanges, type CallsInProgress, type Change, IN_PROGRESS } from './in-progress';

const KEY = ['calls in progress'];

/** The most calls of an answer. */
const PAGE_SIZE = 100;

/** The page reads the newest calls up to this number. */
export const MAX_CALLS = 2_000;

const PAUSE_MS = 500;

/** The pause between two readings of all calls, if they have several pages. */
const ALL_MS = 10_000;

const CHECK_MS = 30_000;

async function readPage(page: number, signal: AbortSignal) {
  const query = { status: [...IN_PROGRESS], limit: PAGE_SIZE, page };
  const { data } = await client.GET('/api/calls', { params: { query }, signal });
  if (!data) throw new Error('A page of calls has no content.');
  return data;
}

async function readAll(signal: AbortSignal): Promise<CallsInProgress> {
  const allReadAt = Date.now();
  const first = await readPage(1, signal);
  const last = Math.ceil(Math.min(first.pagination.total, MAX_CALLS) / PAGE_SIZE);
  const others = await Promise.all(
    Array.from({ length: Math.max(0, last - 1) }, (_, index) => readPage(index + 2, signal)),
  );
  const pages = [first, ...others];
  // A call that begins meanwhile moves others to the next page, so that two pages can have the same call.
  const calls = new Map(pages.flatMap(({ data }) => data).map((call) => [call.call_id, call]));
  return { calls: [...calls.values()], total: pages.at(-1)?.pagination.total ?? 0, allReadAt };
}

/**
 * The calls in progress. An event of the stream changes the status of a call at once. Then the newest calls are read,
 * and all calls if they fit on one page or were not read for some time.
 */
export function useCallsInProgress() {
  const queries = useQueryClient();
  const polling = usePolling();
  /** The last change of each call since all calls were read. */
  const changes = useRef(new Map<string, Change>());
  const timer = useRef<number>(undefined);
  const isStale = useRef(false);
  const isInterrupted = useRef(false);
  /** Whether events may have been missed. */
  const isAllStale = useRef(true);

  const calls = useQuery({
    queryKey: KEY,
    queryFn: async ({ signal }): Promise<CallsInProgress> => {
      isStale.current = false;
      const before = queries.getQueryData<CallsInProgress>(KEY);
      const isRecent = before && !isAllStale.current && Date.now() - before.allReadAt < ALL_MS;
      if (isRecent && before.calls.length >= PAGE_SIZE) {
        const { data, pagination } = await readPage(1, signal);
        return applyChanges(addNewest(before, data, pagination.total), changes.current);
      }
      isAllStale.current = false;
      changes.current.clear();
      return applyChanges(await readAll(signal), changes.current);
    },
    staleTime: 0,
    // The stream leaves out changes when there are too many, and a call that ends moves another one out of a page.
    refetchInterval: polling || CHECK_MS,
  });

  const apply = () => {
    timer.current = undefined;
    queries.setQueryData<CallsInProgress>(KEY, (read) => read && applyChanges(read, changes.current));
    void calls.refetch({ cancelRefetch: false }).finally(() => {
      // An event that came during the request may be missing in its answer.
      if (isStale.current) schedule();
    });
  };
  const schedule = () => {
    timer.current ??= window.setTimeout(apply, PAUSE_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  useLive((event) => {
    if (['campaign', 'tool', 'rehearsal', 'lost'].includes(event.kind)) return;
    if (event.kind === 'call') changes.current.set(event.call_id, event);
    if (event.kind === 'gap') isInterrupted.current = true;
    // The stream reports what changes after the first counts that it sends.
    if (isInterrupted.current) isAllStale.current = true;
    if (event.kind === 'counts') isInterrupted.current = false;
    isStale.current = true;
    schedule();
  });
  return calls;
}
