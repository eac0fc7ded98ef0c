import type { ComponentType } from 'react';
import { texts } from '../texts';

export interface PageDefinition {
  path: string;
  load: () => Promise<{ default: ComponentType }>;
  /** In the navigation; left out: reached by links only. */
  nav?: string;
  /** Goes to it after g. */
  key?: string;
  /** Needs a credential without scopes. */
  unscoped?: boolean;
}

/** Every page: its path, and the file that is loaded when it is first opened. */
export const PAGES: PageDefinition[] = [
  {
    path: '/',
    load: () => import('./overview/overview-page'),
    nav: texts.nav.overview,
    key: 'o',
    unscoped: true,
  },
  { path: '/calls', load: () => import('./calls/calls-page'), nav: texts.nav.calls, key: 'c' },
  { path: '/calls/:id', load: () => import('./call/call-page') },
  { path: '/live', load: () => import('./live/live-page'), nav: texts.nav.live, key: 'l' },
  {
    path: '/campaigns',
    load: () => import('./campaigns/campaigns-page'),
    nav: texts.nav.campaigns,
    key: 'm',
    unscoped: true,
  },
  { path: '/campaigns/new', load: () => import('./campaign-new/new-campaign-page'), unscoped: true },
  { path: '/campaigns/:id', load: () => import('./campaign/campaign-page'), unscoped: true },
  {
    path: '/agents',
    load: () => import('./agents/agents-page'),
    nav: texts.nav.agents,
    key: 'a',
    unscoped: true,
  },
  { path: '/agents/:id', load: () => import('./agent/agent-page') },
  { path: '/agents/:id/versions', load: () => import('./agent-versions/versions-page'), unscoped: true },
  { path: '/numbers', load: () => import('./numbers/numbers-page'), nav: texts.nav.numbers, unscoped: true },
  {
    path: '/do-not-call',
    load: () => import('./do-not-call/do-not-call-page'),
    nav: texts.nav.doNotCall,
    key: 'd',
    unscoped: true,
  },
  {
    path: '/knowledge',
    load: () => import('./knowledge/knowledge-page'),
    nav: texts.nav.knowledge,
    unscoped: true,
  },
  { path: '/knowledge/:id', load: () => import('./knowledge-base/knowledge-base-page'), unscoped: true },
  {
    path: '/templates',
    load: () => import('./templates/templates-page'),
    nav: texts.nav.templates,
    unscoped: true,
  },
  { path: '/templates/:id', load: () => import('./template/template-page'), unscoped: true },
  {
    path: '/analytics',
    load: () => import('./analytics/analytics-page'),
    nav: texts.nav.analytics,
    unscoped: true,
  },
  {
    path: '/runtimes',
    load: () => import('./runtimes/runtimes-page'),
    nav: texts.nav.runtimes,
    unscoped: true,
  },
  {
    path: '/webhooks',
    load: () => import('./webhooks/webhooks-page'),
    nav: texts.nav.webhooks,
    unscoped: true,
  },
  { path: '/webhooks/:id', load: () => import('./webhook/webhook-page'), unscoped: true },
  { path: '/settings', load: () => import('./settings/general-page'), nav: texts.nav.settings },
  { path: '/settings/keys', load: () => import('./settings/keys-page'), unscoped: true },
  { path: '/settings/credits', load: () => import('./settings/credits-page'), unscoped: true },
  { path: '/settings/keeping', load: () => import('./settings/keeping-page'), unscoped: true },
  { path: '/settings/audit', load: () => import('./settings/audit-page'), unscoped: true },
];
