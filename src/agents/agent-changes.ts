import merge from 'deepmerge';
import { isDeepStrictEqual } from 'node:util';
import { AGENT_DEFAULTS, type AgentConfig, voiceModelOf } from './agent-defaults';
import { MAX_VERSION } from './agent-types';
import type { Agent, Deployment } from './agent.entity';
import type { AgentFields, DeploymentDto } from './agents.dto';

/** Parts of the config that a call does not depend on; all others are frozen into the calls that an agent starts. */
export const PRESENTATION_FIELDS = [
  'description',
  'image',
  'features',
  'popularity',
  'templateCategory',
  'industry',
  'recommendedActions',
  'stats',
] as const satisfies (keyof AgentConfig)[];

/** What a call is handed of its agent. `calls/start-call.sql.ts` builds the same in SQL. */
const behaviourOf = ({ name, type, config }: Agent) => {
  const kept = Object.entries(config).filter(
    ([key]) => !PRESENTATION_FIELDS.some((cosmetic) => cosmetic === key),
  );
  return { name, type, ...Object.fromEntries(kept) };
};

const configOf = (fields: AgentFields & { metaData?: Record<string, unknown> }): Partial<AgentConfig> => {
  const { workspaceId, name, type, category, status, deployment, knowledgeBases, ...config } = fields;
  // Class instances with Dates become the plain JSON that the column holds.
  return JSON.parse(JSON.stringify(config)) as Partial<AgentConfig>;
};

/** Nested objects are merged field by field, arrays replaced. `metaData` is the client's own and replaced whole. */
function mergeConfig(config: AgentConfig, changes: Partial<AgentConfig>): AgentConfig {
  const merged = merge(config, changes, { arrayMerge: (_, next: unknown[]) => [...next] });
  merged.voiceConfig.model = voiceModelOf(merged.voiceConfig.provider);
  return { ...merged, metaData: changes.metaData ?? config.metaData };
}

export const initialConfig = (...layers: (Partial<AgentFields> & { metaData?: Record<string, unknown> })[]) =>
  layers.reduce((config, layer) => mergeConfig(config, configOf(layer as AgentFields)), AGENT_DEFAULTS);

export function initialDeployment(given?: Partial<DeploymentDto>): Deployment {
  const deployment: Deployment = {
    status: 'draft',
    version: 1,
    deployedAt: null,
    lastUpdated: new Date(),
    error: null,
  };
  applyDeployment(deployment, given, false);
  return deployment;
}

/** Writes the fields that are there into the agent; the version is raised when calls would be handed something else. */
export function applyChanges(agent: Agent, fields: AgentFields, knowledgeBasesChanged = false): void {
  const before = behaviourOf(agent);
  agent.name = fields.name ?? agent.name;
  agent.type = fields.type ?? agent.type;
  agent.category = fields.category ?? agent.category;
  agent.status = fields.status ?? agent.status;
  const { stats, ...changes } = configOf(fields);
  // Once calls have ended, their sums are shown, and what a client writes would never be.
  agent.config = mergeConfig(
    agent.config,
    agent.endedCalls.total === 0 && stats ? { ...changes, stats } : changes,
  );
  const behaviourChanged = knowledgeBasesChanged || !isDeepStrictEqual(before, behaviourOf(agent));
  applyDeployment(agent.deployment, fields.deployment, behaviourChanged);
}

function applyDeployment(
  deployment: Deployment,
  given: Partial<DeploymentDto> = {},
  behaviourChanged: boolean,
) {
  const { version = 0, ...rest } = given;
  // A value that came back as it was read is no wish to keep it.
  const wishes = Object.entries(rest).filter(
    ([key, value]) => !isDeepStrictEqual(value, deployment[key as keyof typeof rest]),
  );
  const now = new Date();
  if (behaviourChanged || wishes.length > 0) deployment.lastUpdated = now;
  if (given.status === 'active' && deployment.status !== 'active') deployment.deployedAt = now;
  // A client that sends an old agent back must not take the version backwards.
  const next = Math.max(version, deployment.version + (behaviourChanged ? 1 : 0));
  deployment.version = Math.min(next, MAX_VERSION);
  Object.assign(deployment, Object.fromEntries(wishes));
}
