import type { ComponentType } from 'react';
import { texts } from './texts';

export interface PageDefinition {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** The name in the navigation; left out: only links lead to the page. */
  nav?: string;
  /** The key that opens the page after g. */
  key?: string;
  /** Whether the page needs a credential without scopes. */
  unscoped?: boolean;
}

/** Every page: its path, and the file that is loaded when it is first opened. */
export const PAGES: PageDefinition[] = [
  {
    path: '/',
    load: () => import('./features/overview/overview-page'),
    nav: texts.nav.overview,
    key: 'o',
    unscoped: true,
  },
  { path: '/calls', load: () => import('./features/calls/list/calls-page'), nav: texts.nav.calls, key: 'c' },
  { path: '/calls/:id', load: () => import('./features/calls/call/call-page') },
  { path: '/live', load: () => import('./features/live/live-page'), nav: texts.nav.live, key: 'l' },
  {
    path: '/campaigns',
    load: () => import('./features/campaigns/list/campaigns-page'),
    nav: texts.nav.campaigns,
    key: 'm',
    unscoped: true,
  },
  {
    path: '/campaigns/new',
    load: () => import('./features/campaigns/new/new-campaign-page'),
    unscoped: true,
  },
  {
    path: '/campaigns/:id',
    load: () => import('./features/campaigns/campaign/campaign-page'),
    unscoped: true,
  },
  {
    path: '/agents',
    load: () => import('./features/agents/list/agents-page'),
    nav: texts.nav.agents,
    key: 'a',
    unscoped: true,
  },
  { path: '/agents/:id', load: () => import('./features/agents/agent/agent-page') },
  { path: '/agents/:id/talk', load: () => import('./features/talk/talk-page') },
  {
    path: '/agents/:id/versions',
    load: () => import('./features/agents/versions/versions-page'),
    unscoped: true,
  },
  {
    path: '/numbers',
    load: () => import('./features/numbers/numbers-page'),
    nav: texts.nav.numbers,
    unscoped: true,
  },
  {
    path: '/do-not-call',
    load: () => import('./features/do-not-call/do-not-call-page'),
    nav: texts.nav.doNotCall,
    key: 'd',
    unscoped: true,
  },
  {
    path: '/knowledge',
    load: () => import('./features/knowledge/list/knowledge-page'),
    nav: texts.nav.knowledge,
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
    nav: texts.nav.templates,
    unscoped: true,
  },
  { path: '/templates/:id', load: () => import('./features/templates/template-page'), unscoped: true },
  {
    path: '/analytics',
    load: () => import('./features/analytics/analytics-page'),
    nav: texts.nav.analytics,
    unscoped: true,
  },
  {
    path: '/runtimes',
    load: () => import('./features/runtimes/runtimes-page'),
    nav: texts.nav.runtimes,
    unscoped: true,
  },
  {
    path: '/webhooks',
    load: () => import('./features/webhooks/webhooks-page'),
    nav: texts.nav.webhooks,
    unscoped: true,
  },
  { path: '/webhooks/:id', load: () => import('./features/webhooks/webhook-page'), unscoped: true },
  { path: '/settings', load: () => import('./features/settings/general-page'), nav: texts.nav.settings },
  { path: '/settings/keys', load: () => import('./features/settings/keys-page'), unscoped: true },
  { path: '/settings/credits', load: () => import('./features/settings/credits-page'), unscoped: true },
  { path: '/settings/keeping', load: () => import('./features/settings/keeping-page'), unscoped: true },
  { path: '/settings/audit', load: () => import('./features/settings/audit-page'), unscoped: true },
];
