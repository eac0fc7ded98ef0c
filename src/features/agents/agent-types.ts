import { byName } from '../../platform/database/closed-list';

export const AGENT_TYPES = ['inbound', 'outbound', 'chat', 'hybrid'] as const;
export type AgentType = (typeof AGENT_TYPES)[number];
export const AGENT_TYPE = byName(AGENT_TYPES);

export const DEPLOYMENT_STATUSES = ['draft', 'deploying', 'active', 'failed'] as const;
export type DeploymentStatus = (typeof DEPLOYMENT_STATUSES)[number];
export const DEPLOYMENT_STATUS = byName(DEPLOYMENT_STATUSES);

/** The largest `deployment.version` that a client may set. The column holds more, so that later changes can raise it. */
export const MAX_VERSION = 1_000_000_000;

const MAX_INTEGER = 2_147_483_647;

/** @returns 0, which no version has, for a text that is not the number of a version */
export const versionFrom = (text: string): number =>
  /^\d{1,10}$/.test(text) && Number(text) <= MAX_INTEGER ? Number(text) : 0;
