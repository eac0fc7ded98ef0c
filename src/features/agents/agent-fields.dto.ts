import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NumberField,
} from '../../platform/validation/fields';
import { IdsField, TextsField } from '../../platform/validation/item-fields';
import { NameField, TextField, TimeZoneField } from '../../platform/validation/text-fields';
import {
  AiModelDto,
  BackChannelConfigDto,
  CallConfigDto,
  LlmConfigDto,
  SttConfigDto,
  TimeoutConfigDto,
  VoiceConfigDto,
  VoicemailConfigDto,
} from './agent-configs.dto';
import { MAX_GREETING_LENGTH, MAX_PROMPT_LENGTH, MAX_VARIABLE_NAME_LENGTH } from './agent-texts';
import {
  AGENT_TYPES,
  type AgentType,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  MAX_VERSION,
} from './agent-types';

const optional = true;
const nullable = true;

export class DeploymentDto {
  @TextField({
    optional,
    choices: DEPLOYMENT_STATUSES,
    description: 'Where the agent is between draft and production.',
  })
  status: DeploymentStatus;
  @IntegerField({
    optional,
    min: 1,
    max: MAX_VERSION,
    description: 'Raised with each change that calls depend on.',
  })
  version: number;
  @DateTimeField({ optional, nullable, description: 'When the agent was deployed.' }) deployedAt: Date | null;
  @DateTimeField({ optional, description: 'When the agent was changed.' }) lastUpdated: Date;
  @TextField({ optional, nullable, description: 'Why a deployment failed.' }) error: string | null;
}

export class StatsDto {
  @IntegerField({ optional, min: 0, description: 'The calls that have ended.' }) totalCalls: number;
  @NumberField({ optional, description: 'The share of ended calls that were connected, 0 to 1.' })
  successRate: number;
  @NumberField({ optional, description: 'The average duration of the connected calls, in seconds.' })
  avgCallDuration: number;
  @DateTimeField({ optional, nullable, description: 'When its last call ended.' }) lastCallAt: Date | null;
}

/**
 * The fields that a client may set when it creates or updates an agent, and reads back. A field that is not a column
 * of the agent has its default in agent-defaults.ts. A field that does not affect calls is also one of its
 * PRESENTATION_FIELDS.
 */
export class AgentFields {
  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;
  @NameField({ optional, description: 'Shown in lists. Calls see it too.' }) name?: string;
  @TextField({
    choices: AGENT_TYPES,
    description: 'Whether the agent calls people, is called, writes, or does several of these.',
  })
  type: AgentType;
  @TextsField({
    optional,
    max: 200,
    orOne: true,
    description: 'For the list of agents, which can be filtered by it.',
  })
  category?: string[];
  @TextField({ optional, description: 'For people who choose an agent. Calls do not see it.' })
  description?: string;
  @TextField({ optional, max: 2_000, description: 'The address of a picture of the agent.' }) image?: string;
  @TextsField({ optional, max: 500, description: 'What the agent can do, for people who choose one.' })
  features?: string[];
  @IntegerField({ optional, description: 'For the order in which agents are shown.' }) popularity?: number;
  @NestedField(() => VoiceConfigDto, { optional }) voiceConfig?: VoiceConfigDto;
  @NestedField(() => AiModelDto, { optional }) aiModel?: AiModelDto;
  @NestedField(() => LlmConfigDto, { optional }) llmConfig?: LlmConfigDto;
  @NestedField(() => SttConfigDto, { optional }) sttConfig?: SttConfigDto;
  @NestedField(() => VoicemailConfigDto, { optional }) voicemailConfig?: VoicemailConfigDto;
  @NestedField(() => BackChannelConfigDto, { optional }) backChannelConfig?: BackChannelConfigDto;
  @NestedField(() => TimeoutConfigDto, { optional }) timeoutConfig?: TimeoutConfigDto;
  @NestedField(() => CallConfigDto, { optional }) callConfig?: CallConfigDto;
  @BooleanField({ optional, description: 'Whether the agent fills pauses with words such as "well".' })
  fillerWords?: boolean;
  @BooleanField({ optional, description: 'false: the agent makes and takes no calls.' }) status?: boolean;
  @TextsField({ optional, max: 200, description: 'Words that the recognition of speech should know.' })
  customVocabulary?: string[];
  @TimeZoneField({ optional, description: 'The time zone that the agent works in.' }) timezone?: string;
  @TextField({
    optional,
    max: MAX_GREETING_LENGTH,
    description: 'What the agent says first. A name in double braces is a variable of the call.',
  })
  greeting?: string;
  @TextField({
    optional,
    max: MAX_PROMPT_LENGTH,
    description: 'What the agent should do and know. A name in double braces is a variable of the call.',
  })
  prompt?: string;
  @IdsField({
    optional,
    maxItems: 100,
    description: 'The ids of its knowledge bases. An update replaces the whole list.',
  })
  knowledgeBases?: string[];
  @TextsField({
    optional,
    max: 500,
    description: 'What the agent may do during a call, as the runtime names it.',
  })
  actions?: string[];
  @NestedField(() => DeploymentDto, { optional }) deployment?: DeploymentDto;
  @NestedField(() => StatsDto, { optional }) stats?: StatsDto;
  @TextField({
    optional,
    nullable,
    max: 200,
    description: 'The category of the template that the agent was made from.',
  })
  templateCategory?: string | null;
  @TextField({ optional, nullable, max: 200, description: 'For people who choose an agent.' }) industry?:
    string | null;
  @TextsField({ optional, max: 500, description: 'Actions that are proposed for the agent.' })
  recommendedActions?: string[];
  @TextField({ optional, max: MAX_PROMPT_LENGTH, description: 'The prompt in the primary language.' })
  localisedPrompt?: string;
  @BooleanField({ optional, description: 'Whether the agent changes its language with the person.' })
  multiLingual?: boolean;
  @TextField({ optional, max: 50, description: 'The language in which the agent begins, such as en.' })
  primaryLanguage?: string;
  @TextsField({ optional, max: 50, description: 'The other languages that it speaks.' })
  secondaryLanguages?: string[];
  @TextsField({
    optional,
    max: MAX_VARIABLE_NAME_LENGTH,
    description: 'The names of the variables in the texts of the agent.',
  })
  dynamic_variables?: string[];
}
