import { useEffect, useState } from 'react';
import { Dialog } from '../components/dialog';
import { texts } from '../texts';
import styles from './shortcuts.module.css';

const isTyping = (target: EventTarget | null) =>
  target instanceof HTMLElement &&
  target.closest('input, textarea, select, [contenteditable], dialog') !== null;

function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>('tr[data-row]')];
  const current = rows.findIndex((row) => row.contains(document.activeElement));
  const next = current < 0 ? (step > 0 ? 0 : rows.length - 1) : current + step;
  rows[Math.min(Math.max(next, 0), rows.length - 1)]?.focus();
}

/** The keys that work on every page, and the dialog that shows them. */
export function Shortcuts() {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isTyping(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
      const act = {
        '/': () => document.querySelector<HTMLInputElement>('[data-shortcut="search"]')?.focus(),
        j: () => moveRow(1),
        k: () => moveRow(-1),
        '?': () => setOpen(true),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, []);
  if (!isOpen) return null;
  return (
    <Dialog title={texts.shortcuts.title} onClose={() => setOpen(false)}>
      <dl className={styles.keys}>
        {Object.entries(texts.shortcuts.keys).map(([key, text]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  );
}
