import type { PublishMode } from '../../accounts/workspaces/publish-modes';
import type { AgentAnalysis } from '../agents/agent-analysis';
import { FROM_MODEL, NO_ANALYSIS } from '../agents/agent-analysis';
import { getDefaultName, initialConfig } from '../agents/agent-changes';
import { AGENT_DEFAULTS, type AgentConfig } from '../agents/agent-defaults';
import type { AgentType } from '../agents/agent-types';
import type { AgentDefinitionDto } from './code.dto';
import { type Definition, leaveOutDefaults } from './definition';

type CodeConfig = Omit<AgentConfig, 'stats'>;

/** All of an agent that its definition is made of. */
export interface AgentContent {
  type: AgentType;
  name: string;
  category: string[];
  status: boolean;
  config: CodeConfig;
  analysis: AgentAnalysis | null;
  publish: PublishMode | null;
  /** The names of its knowledge bases. */
  knowledge: string[];
}

const { stats: _, ...CONFIG_DEFAULTS } = AGENT_DEFAULTS;
// The provider decides the model of a voice.
const { model: __, ...VOICE_DEFAULTS } = AGENT_DEFAULTS.voiceConfig;

const DEFAULTS = {
  category: [],
  status: true,
  publish: null,
  ...CONFIG_DEFAULTS,
  voiceConfig: VOICE_DEFAULTS,
  analysis: NO_ANALYSIS,
  knowledge: [],
};

/** An agent as a file has it. */
export function describeAgent({ type, config, analysis, ...own }: AgentContent): Definition {
  const { fields, criteria } = analysis ?? NO_ANALYSIS;
  const shown = fields.map(({ from, ...field }) => (from === FROM_MODEL ? field : { ...field, from }));
  const values = { ...config, ...own, analysis: { fields: shown, criteria } };
  return { type, ...leaveOutDefaults(values, { name: getDefaultName(type), ...DEFAULTS }) };
}

/** The agent that a definition makes, with all defaults. */
export function completeAgent(
  { analysis, ...given }: AgentDefinitionDto,
  knowledge: string[],
): AgentContent & { analysis: AgentAnalysis } {
  const { stats: _, ...config } = initialConfig(given);
  const { type, name = getDefaultName(type), category = [], status = true, publish = null } = given;
  return {
    ...{ type, name, category, status, publish, config, knowledge },
    analysis: { ...NO_ANALYSIS, ...analysis },
  };
}
