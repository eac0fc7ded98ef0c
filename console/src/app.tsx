import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { matchRoute, Route, Router, type RouterOptions, Switch, useLocation, useRouter } from 'wouter';
import { useState } from 'react';
import { followConnection } from './api/connection';
import { ApiFailure } from './api/failure';
import { isUploading } from './api/upload';
import { NotFound } from './ui/not-found';
import { useMay } from './ui/rights';
import { type PageDefinition, PAGES } from './pages';
import { followSessionEnd, SESSION_KEY, useIsScoped } from './session/session';
import { SessionGate } from './session/session-gate';
import { ErrorBoundary } from './shell/error-boundary';
import { PageView } from './shell/page-view';
import { Shell } from './shell/shell';
import { texts } from './texts';

/** Shows the login after any request that was refused because the session has ended. */
function noticeEnd(error: unknown, meta: Record<string, unknown> | undefined): void {
  if (meta?.signsIn === true) return;
  if (!(error instanceof ApiFailure)) return;
  if (error.isSignedOut) queries.setQueryData(SESSION_KEY, null);
  // The role of the person may have changed.
  else if (error.code === 'OUT_OF_SCOPE') void queries.invalidateQueries({ queryKey: SESSION_KEY });
}

const queries: QueryClient = new QueryClient({
  defaultOptions: {
    // Without a network, a request fails at once. The library would send it later, when the user has left the
    // page.
    mutations: { networkMode: 'always' },
    queries: {
      networkMode: 'always',
      staleTime: 5_000,
      // The request has been repeated by then. followConnection polls a server that does not answer.
      retry: false,
    },
  },
  queryCache: new QueryCache({ onError: (error, { meta }) => noticeEnd(error, meta) }),
  mutationCache: new MutationCache({
    onError: (error, _variables, _result, { meta }) => noticeEnd(error, meta),
    // The next page, such as a list that Back shows, reads its data again. The open page refreshes itself.
    onSuccess: () => queries.invalidateQueries({ refetchType: 'none' }),
  }),
});

followSessionEnd(queries);
followConnection(queries, SESSION_KEY);

const isPageOfWorkspace = ({ unscoped, path }: PageDefinition) => unscoped && path !== '/';

/** Shows a message instead of a page that a credential with scopes may not use. */
function AllowedPage({ page }: { page: PageDefinition }) {
  const isScoped = useIsScoped();
  // The overview redirects to the calls instead.
  const may = useMay(page.needs ?? 'operate');
  if (isScoped && isPageOfWorkspace(page)) return <p role="alert">{texts.failure.forbidden}</p>;
  if (page.needs !== undefined && !may) return <p role="alert">{texts.failure.notInRole}</p>;
  const { path, load, nav } = page;
  return <PageView path={path} load={load} nav={nav} />;
}

const asking: RouterOptions['aroundNav'] = (navigate, to, options) => {
  if (!isUploading() || window.confirm(texts.files.leave)) navigate(to, options);
};

/** Each page has its own error boundary, so that the next page works after one has failed. */
function Pages() {
  const [path] = useLocation();
  return (
    <ErrorBoundary key={path}>
      <Switch>
        {PAGES.map((page) => (
          <Route key={page.path} path={page.path}>
            <AllowedPage key={page.path} page={page} />
          </Route>
        ))}
        <Route component={NotFound} />
      </Switch>
    </ErrorBoundary>
  );
}

/** Loads the file of the first page while the session is read. The page itself reports a failure. */
function FirstPage() {
  const [path] = useLocation();
  const { parser } = useRouter();
  useState(() => {
    const page = PAGES.find((each) => matchRoute(parser, each.path, path)[0]);
    page?.load().catch(() => undefined);
  });
  return null;
}

export const App = () => (
  <ErrorBoundary>
    <QueryClientProvider client={queries}>
      <Router aroundNav={asking}>
        <Switch>
          <Route path="/login">
            <PageView path="/login" load={() => import('./features/login/login')} />
          </Route>
          <Route>
            <FirstPage />
            <SessionGate>
              <Shell>
                <Pages />
              </Shell>
            </SessionGate>
          </Route>
        </Switch>
      </Router>
    </QueryClientProvider>
  </ErrorBoundary>
);
