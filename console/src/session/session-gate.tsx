import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { FailureNotice } from '../ui/failure-notice';
import { Loading } from '../ui/loading';
import { Page } from '../ui/page';
import { Rights } from '../ui/rights';
import { texts } from '../texts';
import { getRights } from './scopes';
import { clearData, useSession } from './session';
import styles from './session-gate.module.css';

/** Shows the pages to a signed-in user. Everybody else is sent to the login, and returns to the same page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  const isOver = session.data === null;
  const [lastFailure, setLastFailure] = useState(session.error);
  // The query has no error while it reads again: the notice stays until there is an answer.
  const failure = session.data === undefined ? (session.error ?? lastFailure) : null;
  if (failure !== lastFailure) setLastFailure(failure);
  useEffect(() => {
    if (isOver) clearData(queries);
  }, [isOver, queries]);
  // The page and its forms stay while the server does not answer.
  if (session.data) return <Rights value={getRights(session.data.scopes)}>{children}</Rights>;
  if (session.data === undefined)
    return failure === null ? (
      <Loading />
    ) : (
      <main className={styles.page}>
        <Page title={texts.product}>
          <FailureNotice error={failure} retry={() => void session.refetch()} />
        </Page>
      </main>
    );
  const back = path + (search && `?${search}`);
  return <Redirect to={`/login${back === '/' ? '' : `?to=${encodeURIComponent(back)}`}`} replace />;
}
