import type { ReactNode } from 'react';
import { Redirect, useLocation, useSearch } from 'wouter';
import { FailureNotice } from '../components/failure-notice';
import { Loading } from '../components/loading';
import { useSession } from './session';

/** Shows the pages to who is signed in; everybody else goes to the login, and comes back to the same page. */
export function SessionGate({ children }: { children: ReactNode }) {
  const session = useSession();
  const [path] = useLocation();
  const search = useSearch();
  if (session.isPending) return <Loading />;
  // While the server does not answer, the page stays, and what was written into its forms.
  if (session.data) return children;
  if (session.isError) return <FailureNotice error={session.error} retry={() => void session.refetch()} />;
  const back = path + (search && `?${search}`);
  return <Redirect to={`/login${back === '/' ? '' : `?to=${encodeURIComponent(back)}`}`} replace />;
}
