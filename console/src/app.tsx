import { MutationCache, QueryCache, QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ComponentType, lazy, Suspense } from 'react';
import { Route, Router, type RouterOptions, Switch } from 'wouter';
import { ApiFailure } from './api/failure';
import { isUploading } from './api/upload';
import { Loading } from './components/loading';
import { NotFound } from './pages/not-found';
import { PAGES } from './pages/pages';
import { followSessionEnd, SESSION_KEY, useIsScoped } from './session/session';
import { SessionGate } from './session/session-gate';
import { ErrorBoundary } from './shell/error-boundary';
import { Shell } from './shell/shell';
import { texts } from './texts';

/** A session that ended leads to the login, whatever was asked with it. */
function noticeEnd(error: unknown): void {
  if (error instanceof ApiFailure && error.isSignedOut) queries.setQueryData(SESSION_KEY, null);
}

const queries: QueryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 5_000,
      // What a client did wrong fails again; a busy or restarting server does not.
      retry: (count, error) =>
        count < 4 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
    },
  },
  queryCache: new QueryCache({ onError: noticeEnd }),
  mutationCache: new MutationCache({
    onError: noticeEnd,
    // A page that is opened next, such as a list by Back, shows the change. A page that is open refreshes itself.
    onSuccess: () => queries.invalidateQueries({ refetchType: 'none' }),
  }),
});

followSessionEnd(queries);

const Login = lazy(() => import('./pages/login/login'));

const routes = PAGES.map(({ path, load, unscoped }) => {
  const Page = lazy(load);
  // The overview leads to the calls instead.
  return { path, Page: unscoped && path !== '/' ? () => <Unscoped page={Page} /> : Page };
});

/** A page that a credential with scopes may not use says so, instead of forms that would be refused. */
function Unscoped({ page: Page }: { page: ComponentType }) {
  return useIsScoped() ? <p role="alert">{texts.failure.forbidden}</p> : <Page />;
}

const asking: RouterOptions['aroundNav'] = (navigate, to, options) => {
  if (!isUploading() || window.confirm(texts.files.leave)) navigate(to, options);
};

export const App = () => (
  <ErrorBoundary>
    <QueryClientProvider client={queries}>
      <Suspense fallback={<Loading />}>
        <Router aroundNav={asking}>
          <Switch>
            <Route path="/login" component={Login} />
            <Route>
              <SessionGate>
                <Shell>
                  <Suspense fallback={<Loading />}>
                    <Switch>
                      {routes.map(({ path, Page }) => (
                        <Route key={path} path={path} component={Page} />
                      ))}
                      <Route component={NotFound} />
                    </Switch>
                  </Suspense>
                </Shell>
              </SessionGate>
            </Route>
          </Switch>
        </Router>
      </Suspense>
    </QueryClientProvider>
  </ErrorBoundary>
);
