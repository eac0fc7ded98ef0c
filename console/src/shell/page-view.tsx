import { useQuery } from '@tanstack/react-query';
import { isServerThere } from '../api/connection';
import { ApiFailure } from '../api/failure';
import { Button } from '../ui/button';
import { FailureNotice } from '../ui/failure-notice';
import { Loading } from '../ui/loading';
import { Notice } from '../ui/notice';
import { Page } from '../ui/page';
import { hasStoredDrafts } from '../ui/schema-form/use-stored-draft';
import type { PageDefinition } from '../pages';
import { texts } from '../texts';

const RELOADED_KEY = 'parley.reloaded';

/** The files of another build have other names. */
const build = () => document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? '';

/** The server has another version than this page, and no longer has the files of this version. */
class Outdated extends Error {}

/** Reloads the console once, in its new version. @returns whether it reloads */
function reloadOnce(): boolean {
  try {
    if (hasStoredDrafts() || sessionStorage.getItem(RELOADED_KEY) === build()) return false;
    sessionStorage.setItem(RELOADED_KEY, build());
  } catch {
    // Without the storage, the page could reload forever.
    return false;
  }
  window.location.reload();
  return true;
}

async function loadPage(load: PageDefinition['load']) {
  try {
    return await load();
  } catch (error) {
    if (!(await isServerThere())) throw ApiFailure.fromNetworkError(error);
    // A browser may cache the failure to load a file until the page is reloaded.
    return load().catch((again: unknown) => {
      if (reloadOnce()) return new Promise<never>(() => undefined);
      throw new Outdated(undefined, { cause: again });
    });
  }
}

/** A page, whose file is loaded when it is first opened. If that fails, the rest of the console stays usable. */
export function PageView({ path, load, nav }: Pick<PageDefinition, 'path' | 'load' | 'nav'>) {
  const page = useQuery({
    queryKey: ['page', path],
    queryFn: () => loadPage(load),
    staleTime: Infinity,
    gcTime: Infinity,
    retry: false,
    structuralSharing: false,
  });
  if (page.data) return <page.data.default />;
  if (page.isFetching)
    return nav ? (
      <Page title={nav.name}>
        <Loading />
      </Page>
    ) : (
      <Loading />
    );
  return (
    <Page title={nav?.name ?? texts.failure.notOpened}>
      {page.error instanceof Outdated ? (
        <Notice kind="warn">
          <p>{texts.failure.outdated}</p>
          {hasStoredDrafts() && <p>{texts.failure.draftsKept}</p>}
          <Button onClick={() => window.location.reload()}>{texts.failure.reload}</Button>
        </Notice>
      ) : (
        <FailureNotice error={page.error} retry={() => void page.refetch()} />
      )}
    </Page>
  );
}
