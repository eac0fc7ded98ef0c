import { WORKSPACE_ROUTES } from '../../support/routes';

/** The routes of each test file, by the beginnings of their paths; the files take about the same time. */
const GROUPS = {
  agents: ['/api/agents'],
  campaigns: ['/api/campaign'],
  callsAndKnowledge: ['/api/calls', '/api/reports', '/api/knowledge-base'],
};

/** The examples have no call with a recording: see recordings.test.ts. */
const TESTED = WORKSPACE_ROUTES.filter(({ path }) => !path.endsWith('/recording'));

const getRoutes = (beginnings: string[]) =>
  TESTED.filter(({ path }) => beginnings.some((beginning) => path.startsWith(beginning)));

export const agentRoutes = getRoutes(GROUPS.agents);
export const campaignRoutes = getRoutes(GROUPS.campaigns);
export const callAndKnowledgeRoutes = getRoutes(GROUPS.callsAndKnowledge);

const grouped = new Set([...agentRoutes, ...campaignRoutes, ...callAndKnowledgeRoutes]);

export const otherRoutes = TESTED.filter((route) => !grouped.has(route));
