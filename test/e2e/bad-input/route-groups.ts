import { ROUTES } from '../../support/routes';

/** The routes of each test file, by the beginnings of their paths; the files take about the same time. */
const GROUPS = {
  agents: ['/api/agents'],
  campaigns: ['/api/campaign'],
  callsAndKnowledge: ['/api/calls', '/api/reports', '/api/knowledge-base'],
};

/** The examples have no call with a recording, and no credential of its runtime: see recordings.test.ts. */
const TESTED = ROUTES.filter(({ path }) => !path.endsWith('/recording'));

const routesOf = (beginnings: string[]) =>
  TESTED.filter(({ path }) => beginnings.some((beginning) => path.startsWith(beginning)));

export const agentRoutes = routesOf(GROUPS.agents);
export const campaignRoutes = routesOf(GROUPS.campaigns);
export const callAndKnowledgeRoutes = routesOf(GROUPS.callsAndKnowledge);

const grouped = new Set([...agentRoutes, ...campaignRoutes, ...callAndKnowledgeRoutes]);

export const otherRoutes = TESTED.filter((route) => !grouped.has(route));
