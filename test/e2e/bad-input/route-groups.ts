import { ROUTES } from '../../support/routes';

/** The routes of each test file, by the beginnings of their paths; the files take about the same time. */
const GROUPS = {
  agents: ['/api/agents'],
  campaigns: ['/api/campaign'],
  callsAndKnowledge: ['/api/calls', '/api/reports', '/api/knowledge-base'],
};

const routesOf = (beginnings: string[]) =>
  ROUTES.filter(({ path }) => beginnings.some((beginning) => path.startsWith(beginning)));

export const agentRoutes = routesOf(GROUPS.agents);
export const campaignRoutes = routesOf(GROUPS.campaigns);
export const callAndKnowledgeRoutes = routesOf(GROUPS.callsAndKnowledge);

const grouped = new Set([...agentRoutes, ...campaignRoutes, ...callAndKnowledgeRoutes]);

export const otherRoutes = ROUTES.filter((route) => !grouped.has(route));
