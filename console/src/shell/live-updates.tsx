import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { connectLive } from '../live/live-connection';
import { useLive } from '../live/use-live';

/** The paths of queries that a page reads again when anything happened. Lists of calls announce new ones instead. */
const FOLLOWING = ['/api/workspace', '/api/reports', '/api/campaign', '/api/runtimes'];

const EVERY_MS = 2_000;

/** Connects the page to the stream of changes, and marks what it shows as old when something changed. */
export function LiveUpdates() {
  const queries = useQueryClient();
  useEffect(connectLive, []);
  useEffect(() => () => window.clearTimeout(pending), []);
  useLive(() => {
    pending ??= window.setTimeout(() => {
      pending = undefined;
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => FOLLOWING.some((path) => String(queryKey[1]).startsWith(path)),
      });
    }, EVERY_MS);
  });
  return null;
}

/** Of this tab: many hints in a short time are one. */
let pending: number | undefined;
