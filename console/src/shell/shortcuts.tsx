import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog';
import type { PageDefinition } from '../pages';
import { texts } from '../texts';
import styles from './shortcuts.module.css';

const isTyping = (target: EventTarget | undefined) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], :modal') !== null;

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

/** Follows the link of a page to the next or the previous one of its kind. @returns whether the page has one */
function follow(shortcut: 'next' | 'previous'): boolean {
  const link = document.querySelector<HTMLElement>(`[data-shortcut="${shortcut}"]`);
  link?.click();
  return link !== null;
}

const goKeys = (pages: PageDefinition[]) =>
  pages.flatMap(({ key, nav }) => (key && nav ? [[`g ${key}`, texts.shortcuts.go(nav.name)] as const] : []));

/** The time in which the key of a page must follow g. */
const GO_MS = 1_500;

/** The keys that work on every page, and the dialog that shows them. @param pages the pages that the session may open */
export function Shortcuts({ pages }: { pages: PageDefinition[] }) {
  const [isOpen, setOpen] = useState(false);
  const [, navigate] = useLocation();
  const wentAt = useRef(-GO_MS);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      // The target of an event in a shadow root, such as that of an editor, is the first in its path.
      if (isTyping(event.composedPath()[0]) || event.ctrlKey || event.metaKey || event.altKey) return;
      const page = event.timeStamp - wentAt.current < GO_MS && pages.find(({ key }) => key === event.key);
      wentAt.current = event.key === 'g' ? event.timeStamp : -GO_MS;
      if (page) {
        event.preventDefault();
        navigate(page.path);
        return;
      }
      const act = {
        '/': () => document.querySelector<HTMLInputElement>('[data-shortcut="search"]')?.focus(),
        j: () => follow('next') || moveRow(1),
        k: () => follow('previous') || moveRow(-1),
        '?': () => setOpen(true),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate, pages]);
  if (!isOpen) return null;
  return (
    <Dialog title={texts.shortcuts.title} onClose={() => setOpen(false)}>
      <dl className={styles.keys}>
        {[...Object.entries(texts.shortcuts.keys), ...goKeys(pages)].map(([key, text]) => (
          <div key={key}>
            <dt>
              {key.split(' ').map((each) => (
                <kbd key={each}>{each}</kbd>
              ))}
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
