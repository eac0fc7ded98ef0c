import { useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link, useLocation } from 'wouter';
import { Button } from '../ui/button';
import { PAGES } from '../pages';
import { clearSession, signOut, useIsScoped, useSession } from '../session/session';
import { texts } from '../texts';
import { zone } from '../ui/moment';
import { COMMAND_KEYS } from './command-keys';
import { ConnectionStatus } from './connection-status';
import { LiveUpdates } from './live-updates';
import { Navigation } from './navigation';
import { SearchBox } from './search-box';
import { type ShellDialog, Shortcuts } from './shortcuts';
import styles from './shell.module.css';

/** The frame of every page: navigation, search, account. */
export function Shell({ children }: { children: ReactNode }) {
  const [path] = useLocation();
  const { data: session } = useSession();
  const queries = useQueryClient();
  const [isOpen, setOpen] = useState(false);
  const [dialog, setDialog] = useState<ShellDialog>();
  const isScoped = useIsScoped();
  const entries = PAGES.filter(({ nav, unscoped }) => nav && !(unscoped && isScoped));
  const leave = async () => {
    await signOut();
    clearSession(queries);
  };
  return (
    <div className={styles.shell}>
      <a href="#content" className={styles.skip}>
        {texts.skipToContent}
      </a>
      <header className={styles.bar}>
        <Button
          variant="quiet"
          aria-expanded={isOpen}
          aria-controls="navigation"
          onClick={() => setOpen(!isOpen)}
        >
          <span aria-hidden="true">☰</span>
          <span className="visually-hidden">{texts.nav.menu}</span>
        </Button>
        <Link href="/" className={styles.brand}>
          <img src="/icon.svg" alt="" width="24" height="24" />
          <span className={styles.product}>{texts.product}</span>
        </Link>
        <SearchBox />
        <span className={styles.wide}>
          <Button variant="quiet" title={texts.nav.commands} onClick={() => setDialog('commands')}>
            <span className="visually-hidden">{texts.nav.commands}</span>
            <kbd>{COMMAND_KEYS}</kbd>
          </Button>
        </span>
        <ConnectionStatus />
        <span className={styles.account}>{session?.workspace.name}</span>
        <span className={styles.wide}>
          <SignOut onClick={() => void leave()} />
        </span>
      </header>
      <nav
        id="navigation"
        aria-label={texts.nav.label}
        className={styles.nav}
        data-open={isOpen || undefined}
      >
        <Navigation path={path} pages={entries} onOpen={() => setOpen(false)} />
        <p className={styles.zone}>{texts.common.timesIn(zone)}</p>
        <span className={styles.narrow}>
          <SignOut onClick={() => void leave()} />
        </span>
      </nav>
      <main id="content" tabIndex={-1} className={styles.content}>
        {children}
        <p className={styles.zone}>{texts.common.timesIn(zone)}</p>
      </main>
      <Shortcuts pages={entries} opened={dialog} onOpen={setDialog} onSignOut={() => void leave()} />
      {!isScoped && <LiveUpdates />}
    </div>
  );
}

const SignOut = ({ onClick }: { onClick: () => void }) => (
  <Button variant="quiet" onClick={onClick}>
    {texts.nav.signOut}
  </Button>
);
