import { AGENT_DEFAULTS } from '../../features/agents/agent-defaults';
import { toSnapshot } from '../../features/agents/agent-snapshot';
import { AGENT_TYPE, type AgentType, DEPLOYMENT_STATUS } from '../../features/agents/agent-types';
import type { AgentVersion } from '../../features/agents/agent-version.entity';
import type { Agent } from '../../features/agents/agent.entity';
import {
  type Ending,
  FRONT_DESK_ENDINGS,
  REMINDER_ENDINGS,
  RENEWAL_ENDINGS,
  UNREACHED,
} from './demo-endings';
import { idAt } from './random';

interface Definition {
  name: string;
  type: AgentType;
  status: boolean;
  description: string;
  greeting: string;
  /** The prompt of each version, oldest first. */
  prompts: string[];
  endings: readonly Ending[];
}

export const DEFINITIONS = {
  frontDesk: {
    name: 'Front desk',
    type: AGENT_TYPE.inbound,
    status: true,
    description: 'Answers the calls to the practice.',
    greeting: 'Hello, Lakeside Practice. How can I help you?',
    prompts: [
      'You answer the phone of a medical practice. Be brief and friendly.',
      'You answer the phone of a medical practice. Be brief and friendly. Book appointments from Monday to Friday.',
      'You answer the phone of a medical practice. Be brief and friendly. Book appointments from Monday to Friday. If somebody asks for a person, transfer the call.',
    ],
    endings: FRONT_DESK_ENDINGS,
  },
  reminders: {
    name: 'Appointment reminders',
    type: AGENT_TYPE.outbound,
    status: true,
    description: 'Reminds people of their appointments.',
    greeting: 'Hello, am I speaking with {{customer_name}}?',
    prompts: [
      'You remind {{customer_name}} of an appointment on {{day}} at {{time}}.',
      'You remind {{customer_name}} of an appointment on {{day}} at {{time}}. If they cannot come, offer the following week.',
    ],
    endings: [...REMINDER_ENDINGS, ...UNREACHED],
  },
  renewals: {
    name: 'Renewals',
    type: AGENT_TYPE.outbound,
    status: true,
    description: 'Asks customers whether they renew their contract.',
    greeting: 'Hello {{customer_name}}, I am calling about your contract.',
    prompts: [
      'You ask {{customer_name}} whether they want to renew their contract for a year.',
      'You ask {{customer_name}} whether they want to renew their contract for a year. Never insist.',
    ],
    endings: RENEWAL_ENDINGS,
  },
  survey: {
    name: 'Customer survey',
    type: AGENT_TYPE.outbound,
    status: false,
    description: 'Asked how satisfied people were. Switched off, because too few answered.',
    greeting: 'Hello {{customer_name}}, do you have a minute for three questions?',
    prompts: ['You ask {{customer_name}} three questions about the last visit.'],
    endings: [...REMINDER_ENDINGS.slice(3), ...UNREACHED],
  },
} satisfies Record<string, Definition>;

export type AgentKey = keyof typeof DEFINITIONS;

export interface DemoAgent {
  agent: Agent;
  versions: Pick<
    AgentVersion,
    'agentId' | 'version' | 'workspaceId' | 'snapshot' | 'createdBy' | 'restoredFrom' | 'createdAt'
  >[];
  greeting: string;
  endings: readonly Ending[];
}

const DAY_MS = 86_400_000;

/** Versions are some days apart. */
const VERSION_DAYS = 6;

/** An agent and its versions, of which the first one is a day older than the first call. */
function createAgent(
  definition: Definition,
  owner: { workspaceId: string; userId: string },
  since: Date,
): DemoAgent {
  const { name, type, status, description, greeting, prompts, endings } = definition;
  const createdAt = new Date(since.getTime() - DAY_MS);
  const id = idAt(createdAt);
  const createConfig = (prompt: string) => ({
    ...AGENT_DEFAULTS,
    description,
    greeting,
    prompt,
    callConfig: { ...AGENT_DEFAULTS.callConfig, recordingEnabled: true },
  });
  const times = prompts.map((_, index) => new Date(createdAt.getTime() + index * VERSION_DAYS * DAY_MS));
  const updatedAt = times.at(-1) as Date;
  const deployment = {
    status: DEPLOYMENT_STATUS.active,
    version: prompts.length,
    deployedAt: updatedAt,
    lastUpdated: updatedAt,
    error: null,
  };
  const config = createConfig(prompts.at(-1) as string);
  const row = { id, ...owner, name, type, category: [], status, config, deployment, createdAt, updatedAt };
  const agent = { ...row, deletedAt: null } as unknown as Agent;
  const versions = prompts.map((prompt, index) => ({
    agentId: id,
    version: index + 1,
    workspaceId: owner.workspaceId,
    snapshot: { ...toSnapshot({ ...agent, config: createConfig(prompt) }), knowledgeBases: [] },
    createdBy: null,
    restoredFrom: null,
    createdAt: times[index] as Date,
  }));
  return { agent, versions, greeting, endings };
}

export const demoAgents = (
  owner: { workspaceId: string; userId: string },
  since: Date,
): Record<AgentKey, DemoAgent> => ({
  frontDesk: createAgent(DEFINITIONS.frontDesk, owner, since),
  reminders: createAgent(DEFINITIONS.reminders, owner, since),
  renewals: createAgent(DEFINITIONS.renewals, owner, since),
  survey: createAgent(DEFINITIONS.survey, owner, since),
});

/** The version of the agent at a time. */
export const versionAt = ({ versions }: DemoAgent, time: Date): number =>
  versions.findLast(({ createdAt }) => createdAt <= time)?.version ?? 1;
