import { getCountryForTimezone } from 'countries-and-timezones';
import type { AgentCallTotals } from './agent-call-totals.entity';
import { AGENT_TYPE, DEPLOYMENT_STATUS } from './agent-types';
import type { Agent, Deployment, NarrowAgent } from './agent.entity';
import type {
  AgentDto,
  AgentSummaryDto,
  CreatedAgentDto,
  ProviderModelDto,
  UpdatedAgentDto,
} from './agent-responses.dto';
import type { StatsDto } from './agent-fields.dto';

export const presentCreatedAgent = (agent: NarrowAgent): CreatedAgentDto => ({
  _id: agent.id,
  workspaceId: agent.workspaceId,
  userId: agent.userId,
  name: agent.name,
  type: agent.type,
});

export const presentSummary = (
  agent: Pick<NarrowAgent, 'id' | 'name' | 'type' | 'status' | 'updatedAt'>,
  elsewhere: Pick<AgentSummaryDto, 'voiceEngine' | 'phoneNumber'>,
): AgentSummaryDto => ({
  id: agent.id,
  name: agent.name,
  type: agent.type,
  updatedAt: agent.updatedAt,
  ...elsewhere,
  status: agent.status,
});

const providerAndModel = ({ provider, model }: ProviderModelDto) => ({ provider, model });

export const presentUpdated = (agent: Agent): UpdatedAgentDto => ({
  ...presentCreatedAgent(agent),
  category: agent.category,
  description: agent.config.description,
  voiceConfig: providerAndModel(agent.config.voiceConfig),
  aiModel: providerAndModel(agent.config.aiModel),
  llmConfig: providerAndModel(agent.config.llmConfig),
  status: agent.status,
  createdAt: agent.createdAt,
  updatedAt: agent.updatedAt,
});

export function presentAgent(
  agent: Agent,
  knowledgeBases: string[],
  totals: AgentCallTotals | null,
): AgentDto {
  // The API specification has metaData for writing only.
  const { metaData: _, ...config } = agent.config;
  return {
    ...presentCreatedAgent(agent),
    ...config,
    category: agent.category,
    status: agent.status,
    deployment: presentDeployment(agent),
    stats: presentStats(agent.config, totals),
    knowledgeBases,
    DND: !agent.status,
    countryName: getCountryForTimezone(config.timezone)?.name ?? '',
    widget: agent.type === AGENT_TYPE.chat || agent.type === AGENT_TYPE.hybrid,
    createdAt: agent.createdAt,
    updatedAt: agent.updatedAt,
  };
}

/** Calls use the newest version of an agent that is not gated, since that was made. */
function presentDeployment({ gated, activeVersion, deployment }: Agent): Deployment {
  const { status, version, lastUpdated } = deployment;
  if (!gated)
    return { status: DEPLOYMENT_STATUS.active, version, deployedAt: lastUpdated, lastUpdated, error: null };
  // A server of the last release makes versions without a state.
  const isOther = status === DEPLOYMENT_STATUS.active && activeVersion !== version;
  return isOther ? { ...deployment, status: DEPLOYMENT_STATUS.draft } : deployment;
}

function presentStats({ stats: written }: Agent['config'], totals: AgentCallTotals | null): StatsDto {
  if (!totals) return { ...written, lastCallAt: written.lastCallAt ? new Date(written.lastCallAt) : null };
  const { calls, successful, seconds, lastEndedAt } = totals;
  return {
    totalCalls: calls,
    successRate: successful / calls,
    avgCallDuration: successful === 0 ? 0 : Number(seconds) / successful,
    lastCallAt: lastEndedAt,
  };
}
