export const AGENT_TYPES = ['inbound', 'outbound', 'chat', 'hybrid'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];

export const DEPLOYMENT_STATUSES = ['draft', 'deploying', 'active', 'failed'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];

/** The largest `deployment.version`: what an integer of Postgres holds. */
export const MAX_VERSION = 2_147_483_647;
