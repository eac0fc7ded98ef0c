import type { ReactNode } from 'react';
import { Page } from '../../ui/page';
import { Tabs } from '../../ui/tabs';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';

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
  const isScoped = useIsScoped();
  return (
    <Page
      title={title}
      tabTitle={`${tab} · ${title}`}
      beside={<Tabs label={title} tabs={TABS.filter(({ unscoped }) => !(unscoped && isScoped))} />}
    >
      {children}
    </Page>
  );
}
