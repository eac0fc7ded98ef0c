import { useLocation, useSearch } from 'wouter';
import { useRowsPerPage } from '../table/rows-per-page';

/** The query of the address as state, so that a page can be reloaded and shared, and Back works. */
export function useQueryParameters(): [
  URLSearchParams,
  (changes: Record<string, string | string[] | undefined>, options?: { replace?: boolean }) => void,
] {
  // The queries of lists have it as their limit.
  useRowsPerPage();
  const search = useSearch();
  const [path, navigate] = useLocation();
  const current = new URLSearchParams(search);
  const set = (
    changes: Record<string, string | string[] | undefined>,
    { replace = false }: { replace?: boolean } = {},
  ) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      next.delete(name);
      for (const each of [value ?? []].flat()) if (each !== '') next.append(name, each);
    }
    navigate(path + (next.size > 0 ? `?${next}` : ''), { replace });
  };
  return [current, set];
}
