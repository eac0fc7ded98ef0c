import { type FormEvent, useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { texts } from '../texts';
import styles from './search-box.module.css';

const IS_NUMBER = /^\+?[\d\s().-]{4,}$/;

/** The query of the list of calls: digits are a number or its end, other text is a part of a name. */
export function searchQuery(text: string): string {
  const term = text.trim();
  const filter: Record<string, string> = IS_NUMBER.test(term)
    ? { number: term.replace(/[^\d+]/g, '') }
    : { customer_name: term };
  return new URLSearchParams(filter).toString();
}

/** Finds calls from every page. The key `/` focuses it. */
export function SearchBox() {
  const [path, navigate] = useLocation();
  const input = useRef<HTMLInputElement>(null);
  // On another page than that of what was found, the last search says nothing.
  useEffect(() => {
    if (path !== '/calls' && input.current) input.current.value = '';
  }, [path]);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = input.current?.value ?? '';
    if (!text.trim()) return;
    // The heading of the page that opens gets the focus.
    if (path !== '/calls') input.current?.blur();
    navigate(`/calls?${searchQuery(text)}`);
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
