import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { connectLive } from '../live/live-connection';
import { useLive } from '../live/use-live';
import { texts } from '../texts';
import styles from './shell.module.css';

/** The paths of queries that a page reads again when anything happened. Lists of calls announce new ones instead. */
const FOLLOWING = ['/api/workspace', '/api/reports', '/api/campaign', '/api/runtimes'];

const EVERY_MS = 2_000;

/** Connects the page to the stream of changes, reads again what may be old, and says when the stream is cut. */
export function LiveUpdates() {
  const queries = useQueryClient();
  const [isLost, setLost] = useState(false);
  useEffect(connectLive, []);
  useEffect(() => () => window.clearTimeout(pending), []);
  useLive(({ kind }) => {
    if (kind === 'lost' || kind === 'back') return setLost(kind === 'lost');
    pending ??= window.setTimeout(() => {
      pending = undefined;
      void queries.invalidateQueries({
        predicate: ({ queryKey }) => FOLLOWING.some((path) => String(queryKey[1]).startsWith(path)),
      });
    }, EVERY_MS);
  });
  return (
    <div role="status" className={styles.connection}>
      {isLost && texts.connectionLost}
    </div>
  );
}

/** Of this tab: many hints in a short time are one. */
let pending: number | undefined;
