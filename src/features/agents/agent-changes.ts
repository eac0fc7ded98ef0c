import merge from 'deepmerge';
import { isDeepStrictEqual } from 'node:util';
import { AGENT_DEFAULTS, type AgentConfig, PRESENTATION_FIELDS, getVoiceModel } from './agent-defaults';
import type { AgentAnalysis } from './agent-analysis';
import { toSnapshot } from './agent-snapshot';
import type { AgentSnapshot } from './agent-version.entity';
import { type AgentType, DEPLOYMENT_STATUS } from './agent-types';
import type { Agent, Deployment } from './agent.entity';
import type { AgentFields, DeploymentDto } from './agent-fields.dto';
import type { CreateAgentDto } from './agents.dto';
import type { PromptTemplate } from './prompt-template.entity';

type Template = Pick<PromptTemplate, 'name' | 'category' | 'greeting' | 'prompt' | 'dynamicVariables'>;
type ConfigFields = Partial<Pick<CreateAgentDto, keyof AgentConfig>>;

export const getDefaultName = (type: AgentType) => `New ${type} agent`;

/** The values of a new agent: what the client sent, else what the template has, else the default. */
export function newAgent(userId: string, fields: Omit<CreateAgentDto, 'templateId'>, template?: Template) {
  const fromTemplate = template && {
    greeting: template.greeting,
    prompt: template.prompt,
    dynamic_variables: template.dynamicVariables,
  };
  return {
    userId,
    type: fields.type,
    name: fields.name ?? template?.name ?? getDefaultName(fields.type),
    category: fields.category ?? template?.category ?? [],
    status: fields.status ?? true,
    config: initialConfig(fromTemplate ?? {}, fields),
    deployment: initialDeployment(fields.deployment),
  };
}

export type NewAgent = ReturnType<typeof newAgent> & Partial<Pick<Agent, 'slug' | 'analysis' | 'publish'>>;

/** The defaults, overwritten by each of the layers. */
export const initialConfig = (...layers: ConfigFields[]): AgentConfig =>
  layers.reduce<AgentConfig>((config, layer) => mergeConfig(config, toConfig(layer)), AGENT_DEFAULTS);

export function initialDeployment(fields?: Partial<DeploymentDto>): Deployment {
  const now = new Date();
  const { version = 1 } = fields ?? {};
  return { status: DEPLOYMENT_STATUS.active, version, deployedAt: now, lastUpdated: now, error: null };
}

/** The fields of an agent that change, with all that its calls are to yield. */
export interface AgentUpdate extends Partial<AgentFields> {
  metaData?: Record<string, unknown>;
  analysis?: AgentAnalysis;
}

interface Circumstances {
  /** Whether the agent has other knowledge bases than before. */
  isReassigned: boolean;
  /** Whether calls of the agent have ended. */
  hasEndedCalls: boolean;
}

/** Writes the fields that are present into the agent. Raises its version if the change matters to calls. */
export function applyChanges(
  agent: Agent,
  { analysis, ...fields }: AgentUpdate,
  { isReassigned, hasEndedCalls }: Circumstances,
): void {
  const before = { ...toSnapshot(agent), analysis: agent.analysis };
  if (analysis) agent.analysis = toStoredAnalysis(analysis);
  agent.name = fields.name ?? agent.name;
  agent.type = fields.type ?? agent.type;
  agent.category = fields.category ?? agent.category;
  agent.status = fields.status ?? agent.status;
  const { stats, ...changes } = toConfig(fields);
  // Once calls have ended, the agent shows their sums, and would never show what a client has written.
  agent.config = mergeConfig(agent.config, !hasEndedCalls && stats ? { ...changes, stats } : changes);
  const after = { ...toSnapshot(agent), analysis: agent.analysis };
  const isForCalls = isReassigned || !isDeepStrictEqual(before, after);
  applyDeployment(agent.deployment, fields.deployment, isForCalls);
}

/**
 * Gives the agent what an old version had. Fields that a version does not have stay, such as the description; a
 * field that is newer than the version gets its default.
 */
export function applySnapshot(agent: Agent, snapshot: AgentSnapshot): void {
  const { name = agent.name, type = agent.type } = snapshot as Partial<Pick<Agent, 'name' | 'type'>>;
  const kept = Object.fromEntries(PRESENTATION_FIELDS.map((field) => [field, agent.config[field]]));
  agent.name = name;
  agent.type = type;
  agent.config = initialConfig(kept, snapshot);
  applyDeployment(agent.deployment, {}, true);
}

/** An analysis as it is stored: null if it asks for nothing. */
export const toStoredAnalysis = (analysis: AgentAnalysis): AgentAnalysis | null =>
  analysis.fields.length + analysis.criteria.length === 0 ? null : analysis;

/** Returns the fields that belong to the config, as the plain JSON that the column holds. */
function toConfig(fields: object): Partial<AgentConfig> {
  const ofConfig = Object.entries(fields).filter(([name]) => Object.hasOwn(AGENT_DEFAULTS, name));
  return JSON.parse(JSON.stringify(Object.fromEntries(ofConfig))) as Partial<AgentConfig>;
}

/** Merges nested objects field by field, and replaces arrays. `metaData` is the client's own and is replaced whole. */
function mergeConfig(config: AgentConfig, changes: Partial<AgentConfig>): AgentConfig {
  const merged = merge(config, changes, { arrayMerge: (_, next: unknown[]) => [...next] });
  merged.voiceConfig.model = getVoiceModel(merged.voiceConfig.provider);
  return { ...merged, metaData: changes.metaData ?? config.metaData };
}

function applyDeployment(
  deployment: Deployment,
  fields: Partial<DeploymentDto> = {},
  isForCalls: boolean,
): void {
  // A client that sends an old agent back must not lower the version.
  const version = Math.max(fields.version ?? 0, deployment.version + (isForCalls ? 1 : 0));
  if (version === deployment.version) return;
  deployment.version = version;
  deployment.lastUpdated = new Date();
}
