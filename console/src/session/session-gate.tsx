import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { FailureNotice } from '../ui/failure-notice';
import { Loading } from '../ui/loading';
import { Page } from '../ui/page';
import { texts } from '../texts';
import { clearData, useSession } from './session';
import styles from './session-gate.module.css';

/** Shows the pages to a signed-in user. Everybody else is sent to the login, and returns to the same page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  const queries = useQueryClient();
  const isOver = session.data === null;
  useEffect(() => {
    if (isOver) clearData(queries);
  }, [isOver, queries]);
  if (session.isPending) return <Loading />;
  // The page and its forms stay while the server does not answer.
  if (session.data) return children;
  if (session.isError)
    return (
      <main className={styles.page}>
        <Page title={texts.product}>
          <FailureNotice error={session.error} retry={() => void session.refetch()} />
        </Page>
      </main>
    );
  const back = path + (search && `?${search}`);
  return <Redirect to={`/login${back === '/' ? '' : `?to=${encodeURIComponent(back)}`}`} replace />;
}
