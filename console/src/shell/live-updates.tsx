import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isServerThere, noteConnection } from '../api/connection';
import { connectLive } from '../live/live-connection';
import { useLive } from '../live/use-live';
import { SESSION_KEY } from '../session/session';

/** The paths of queries that each event makes outdated. Lists of calls announce new calls instead. */
const FOLLOWING = ['/api/workspace', '/api/reports', '/api/campaign', '/api/runtimes'];

const DELAY_MS = 2_000;

/** Connects the page to the stream of changes, and reads outdated queries again. */
export function LiveUpdates() {
  const queries = useQueryClient();
  useEffect(connectLive, []);
  useEffect(() => () => window.clearTimeout(pending), []);
  useEffect(() => () => noteConnection({ isCut: false }), []);
  useLive(({ kind }) => {
    if (kind === 'lost' || kind === 'back') noteConnection({ isCut: kind === 'lost' });
    if (kind === 'lost') {
      // Requests to a silent server do not fail, so the loss alone does not show whether the server is there.
      void isServerThere();
      // The server ends the stream with the session, after which no data may stay on the screen.
      void queries.refetchQueries({ queryKey: SESSION_KEY });
    }
    if (kind === 'lost' || kind === 'back') return;
    pending ??= window.setTimeout(() => {
      pending = undefined;
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => FOLLOWING.some((path) => String(queryKey[1]).startsWith(path)),
      });
    }, DELAY_MS);
  });
  return null;
}

/** The timer of the next read. Several events within the delay cause one read. */
let pending: number | undefined;
