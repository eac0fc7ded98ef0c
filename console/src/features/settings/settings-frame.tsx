import type { ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Page } from '../../ui/page';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import styles from './settings.module.css';

const { title, tabs } = texts.settings;

const TABS = [
  { href: '/settings', label: tabs.general },
  { href: '/settings/people', label: tabs.people, unscoped: true },
  { href: '/settings/keys', label: tabs.keys, unscoped: true },
  { href: '/settings/assistants', label: tabs.assistants, unscoped: true },
  { href: '/settings/credits', label: tabs.credits, unscoped: true },
  { href: '/settings/keeping', label: tabs.keeping, unscoped: true },
  { href: '/settings/audit', label: tabs.audit, unscoped: true },
];

interface Props {
  tab: string;
  children: ReactNode;
}

/** A page of the settings, with links to the others. */
export function SettingsFrame({ tab, children }: Props) {
  const [path] = useLocation();
  const isScoped = useIsScoped();
  return (
    <Page title={title} tabTitle={`${tab} · ${title}`}>
      <nav aria-label={title}>
        <ul className={styles.tabs}>
          {TABS.filter(({ unscoped }) => !(unscoped && isScoped)).map(({ href, label }) => (
            <li key={href}>
              <Link href={href} aria-current={path === href ? 'page' : undefined}>
                {label}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
