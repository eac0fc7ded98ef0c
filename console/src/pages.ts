import {
  ActivityLogIcon,
  BarChartIcon,
  ChatBubbleIcon,
  CircleBackslashIcon,
  CubeIcon,
  DashboardIcon,
  FileTextIcon,
  GearIcon,
  Link2Icon,
  MobileIcon,
  PaperPlaneIcon,
  PersonIcon,
  ReaderIcon,
  RocketIcon,
} from '@radix-ui/react-icons';
import type { ComponentType } from 'react';
import type { Right } from './ui/rights';
import { texts } from './texts';

export interface NavEntry {
  name: string;
  icon: ComponentType;
  /** Left out: the entry stands above the groups. */
  group?: keyof typeof texts.nav.groups;
}

export interface PageDefinition {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** The entry in the navigation; left out: only links lead to the page. */
  nav?: NavEntry;
  /** The key that opens the page after g. */
  key?: string;
  /** Whether the page needs a credential without scopes. */
  unscoped?: boolean;
  /** The right without which the page has nothing to offer. */
  needs?: Right;
}

/** Every page: its path, and the file that is loaded when it is first opened. */
export const PAGES: PageDefinition[] = [
  {
    path: '/',
    load: () => import('./features/overview/overview-page'),
    nav: { name: texts.nav.overview, icon: DashboardIcon },
    key: 'o',
    unscoped: true,
  },
  {
    path: '/calls',
    load: () => import('./features/calls/list/calls-page'),
    nav: { name: texts.nav.calls, icon: ChatBubbleIcon, group: 'operate' },
    key: 'c',
  },
  { path: '/calls/compare', load: () => import('./features/calls/compare/compare-page') },
  { path: '/calls/:id', load: () => import('./features/calls/call/call-page') },
  { path: '/search', load: () => import('./features/people/search-page'), unscoped: true },
  { path: '/people/:phone', load: () => import('./features/people/person-page') },
  {
    path: '/live',
    load: () => import('./features/live/live-page'),
    nav: { name: texts.nav.live, icon: ActivityLogIcon, group: 'operate' },
    key: 'l',
  },
  {
    path: '/campaigns',
    load: () => import('./features/campaigns/list/campaigns-page'),
    nav: { name: texts.nav.campaigns, icon: PaperPlaneIcon, group: 'operate' },
    key: 'm',
    unscoped: true,
  },
  {
    path: '/campaigns/new',
    load: () => import('./features/campaigns/new/new-campaign-page'),
    unscoped: true,
    needs: 'operate',
  },
  {
    path: '/campaigns/:id',
    load: () => import('./features/campaigns/campaign/campaign-page'),
    unscoped: true,
  },
  {
    path: '/campaigns/:id/recipients',
    load: () => import('./features/campaigns/campaign/recipients-page'),
    unscoped: true,
  },
  {
    path: '/agents',
    load: () => import('./features/agents/list/agents-page'),
    nav: { name: texts.nav.agents, icon: PersonIcon, group: 'build' },
    key: 'a',
    unscoped: true,
  },
  { path: '/agents/:id', load: () => import('./features/agents/agent/agent-page') },
  { path: '/agents/:id/talk', load: () => import('./features/talk/talk-page'), needs: 'operate' },
  { path: '/agents/:id/analysis', load: () => import('./features/agents/analysis/analysis-page') },
  {
    path: '/agents/:id/versions',
    load: () => import('./features/agents/versions/versions-page'),
    unscoped: true,
  },
  {
    path: '/agents/:id/rehearsals',
    load: () => import('./features/rehearsals/rehearsals-page'),
    unscoped: true,
  },
  {
    path: '/rehearsal-runs/:id',
    load: () => import('./features/rehearsals/run-page'),
    unscoped: true,
  },
  {
    path: '/numbers',
    load: () => import('./features/numbers/numbers-page'),
    nav: { name: texts.nav.numbers, icon: MobileIcon, group: 'build' },
    key: 'n',
    unscoped: true,
  },
  {
    path: '/do-not-call',
    load: () => import('./features/do-not-call/do-not-call-page'),
    nav: { name: texts.nav.doNotCall, icon: CircleBackslashIcon, group: 'operate' },
    key: 'd',
    unscoped: true,
  },
  {
    path: '/knowledge',
    load: () => import('./features/knowledge/list/knowledge-page'),
    nav: { name: texts.nav.knowledge, icon: ReaderIcon, group: 'build' },
    key: 'k',
    unscoped: true,
  },
  {
    path: '/knowledge/:id',
    load: () => import('./features/knowledge/knowledge-base/knowledge-base-page'),
    unscoped: true,
  },
  {
    path: '/templates',
    load: () => import('./features/templates/templates-page'),
    nav: { name: texts.nav.templates, icon: FileTextIcon, group: 'build' },
    unscoped: true,
  },
  { path: '/templates/:id', load: () => import('./features/templates/template-page'), unscoped: true },
  {
    path: '/tools',
    load: () => import('./features/tools/tools-page'),
    nav: { name: texts.nav.tools, icon: RocketIcon, group: 'build' },
    unscoped: true,
  },
  { path: '/tools/:id', load: () => import('./features/tools/tool-page'), unscoped: true },
  {
    path: '/analytics',
    load: () => import('./features/analytics/analytics-page'),
    nav: { name: texts.nav.analytics, icon: BarChartIcon, group: 'operate' },
    key: 'y',
    unscoped: true,
  },
  {
    path: '/runtimes',
    load: () => import('./features/runtimes/runtimes-page'),
    nav: { name: texts.nav.runtimes, icon: CubeIcon, group: 'connect' },
    unscoped: true,
  },
  {
    path: '/webhooks',
    load: () => import('./features/webhooks/webhooks-page'),
    nav: { name: texts.nav.webhooks, icon: Link2Icon, group: 'connect' },
    key: 'w',
    unscoped: true,
  },
  { path: '/webhooks/:id', load: () => import('./features/webhooks/webhook-page'), unscoped: true },
  {
    path: '/settings',
    load: () => import('./features/settings/general-page'),
    nav: { name: texts.nav.settings, icon: GearIcon, group: 'connect' },
    key: 's',
  },
  { path: '/settings/people', load: () => import('./features/settings/people-page'), unscoped: true },
  { path: '/settings/keys', load: () => import('./features/settings/keys-page'), unscoped: true },
  { path: '/settings/assistants', load: () => import('./features/settings/assistants-page'), unscoped: true },
  { path: '/settings/credits', load: () => import('./features/settings/credits-page'), unscoped: true },
  { path: '/settings/keeping', load: () => import('./features/settings/keeping-page'), unscoped: true },
  { path: '/settings/audit', load: () => import('./features/settings/audit-page'), unscoped: true },
];
