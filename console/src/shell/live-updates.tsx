import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { isServerThere, noteConnection } from '../api/connection';
import { connectLive } from '../live/live-connection';
import type { LiveEvent } from '../live/live-events';
import { readAgain } from '../live/read-again';
import { useLive } from '../live/use-live';
import { SESSION_KEY } from '../session/session';

/** The paths of queries that changes of calls make outdated. Lists of calls announce new calls instead. */
const OF_CALLS = ['/api/workspace', '/api/reports', '/api/campaign', '/api/runtimes'];
const OF_TOOLS = ['/api/tool-invocations'];
const OF_REHEARSALS = ['/api/rehearsal-runs'];
const ALL = [...OF_CALLS, ...OF_TOOLS, ...OF_REHEARSALS];

const PATHS: Partial<Record<LiveEvent['kind'], string[]>> = {
  ...{ gap: ALL, tool: OF_TOOLS, rehearsal: OF_REHEARSALS },
};

const DELAY_MS = 2_000;

/** Connects the page to the stream of changes, and reads outdated queries again. */
export function LiveUpdates() {
  const queries = useQueryClient();
  useEffect(connectLive, []);
  useEffect(
    () => () => {
      window.clearTimeout(pending);
      pending = undefined;
    },
    [],
  );
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
    for (const path of PATHS[kind] ?? OF_CALLS) outdated.add(path);
    pending ??= window.setTimeout(() => {
      const paths = [...outdated];
      pending = undefined;
      outdated.clear();
      void readAgain(queries, {
        predicate: ({ queryKey }) => paths.some((path) => String(queryKey[1]).startsWith(path)),
      });
    }, DELAY_MS);
  });
  return null;
}

/** The timer of the next read, and the paths that it reads. Several events within the delay cause one read. */
let pending: number | undefined;
const outdated = new Set<string>();
