import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { searchFilter } from '../api/call-search';
import { useIsScoped } from '../session/session';
import { texts } from '../texts';
import styles from './search-box.module.css';

/** Finds people and calls from every page. The key `/` focuses it. */
export function SearchBox() {
  const [path, navigate] = useLocation();
  // A credential with scopes may not search campaigns.
  const target = useIsScoped() ? '/calls' : '/search';
  const input = useRef<HTMLInputElement>(null);
  // On another page than that of what was found, the last search says nothing.
  useEffect(() => {
    if (path !== target && input.current) input.current.value = '';
  }, [path, target]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const term = input.current?.value.trim() ?? '';
    if (!term) return;
    // The heading of the page that opens gets the focus.
    if (path !== target) input.current?.blur();
    const query = target === '/search' ? { q: term } : searchFilter(term);
    navigate(`${target}?${new URLSearchParams(query).toString()}`);
  };
  return (
    <form role="search" onSubmit={submit} className={styles.search}>
      <input
        ref={input}
        type="search"
        data-shortcut="search"
        onFocus={({ target }) => target.select()}
        aria-label={texts.nav.search}
        placeholder={texts.nav.search}
        className={styles.input}
      />
    </form>
  );
}
