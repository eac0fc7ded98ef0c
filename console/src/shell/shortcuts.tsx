import { useEffect, useRef } from 'react';
import { useLocation } from 'wouter';
import { Dialog } from '../ui/dialog';
import { Loaded } from '../ui/loaded';
import { useFile } from '../ui/use-file';
import type { PageDefinition } from '../pages';
import { texts } from '../texts';
import { isForCommands } from './command-keys';

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

export type ShellDialog = 'commands' | 'shortcuts';

interface Props {
  /** The pages that the session may open. */
  pages: PageDefinition[];
  opened: ShellDialog | undefined;
  onOpen: (dialog: ShellDialog | undefined) => void;
  onSignOut: () => void;
}

/** The time in which the key of a page must follow g. */
const GO_MS = 1_500;

/** The keys that work on every page, and the dialogs that they open. */
export function Shortcuts({ pages, opened, onOpen, onSignOut }: Props) {
  const [, navigate] = useLocation();
  const wentAt = useRef(-GO_MS);
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (isForCommands(event)) {
        event.preventDefault();
        // Another dialog would hide behind it with the text that is typed there.
        if (!document.querySelector(':modal')) onOpen('commands');
        return;
      }
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
        '?': () => onOpen('shortcuts'),
      }[event.key];
      if (!act) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [navigate, pages, onOpen]);
  if (!opened) return null;
  return <ShellDialogs pages={pages} opened={opened} onOpen={onOpen} onSignOut={onSignOut} />;
}

/** The dialogs, whose contents are in a file that is loaded when one opens first. */
function ShellDialogs({ pages, opened, onOpen, onSignOut }: Props & { opened: ShellDialog }) {
  const file = useFile('palette', () => import('./palette'));
  const close = () => onOpen(undefined);
  return (
    <Dialog key={opened} title={texts.nav[opened]} onClose={close}>
      <Loaded query={file}>
        {({ Palette, ShortcutList }) =>
          opened === 'commands' ? (
            <Palette
              pages={pages}
              onShortcuts={() => onOpen('shortcuts')}
              onSignOut={onSignOut}
              onClose={close}
            />
          ) : (
            <ShortcutList pages={pages} />
          )
        }
      </Loaded>
    </Dialog>
  );
}
