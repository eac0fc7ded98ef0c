import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NumberField,
  ObjectField,
} from '../validation/fields';
import { Example } from '../validation/example';
import { IdsField, TextsField } from '../validation/item-fields';
import { NameField, TextField, TimeZoneField } from '../validation/text-fields';
import { PageQuery } from '../http/pagination';
import { MAX_GREETING_LENGTH, MAX_PROMPT_LENGTH, MAX_VARIABLE_NAME_LENGTH } from './agent-texts';
import {
  AGENT_TYPES,
  type AgentType,
  DEPLOYMENT_STATUSES,
  type DeploymentStatus,
  MAX_VERSION,
} from './agent-types';
import {
  AiModelDto,
  BackChannelConfigDto,
  CallConfigDto,
  LlmConfigDto,
  ReadOnly,
  SttConfigDto,
  TimeoutConfigDto,
  VoiceConfigDto,
  VoicemailConfigDto,
} from './agent-config.dto';

const optional = true;
const nullable = true;

export class DeploymentDto {
  @TextField({ optional, choices: DEPLOYMENT_STATUSES }) status: DeploymentStatus;
  @IntegerField({ optional, min: 1, max: MAX_VERSION }) version: number;
  @DateTimeField({ optional, nullable }) deployedAt: Date | null;
  @DateTimeField({ optional }) lastUpdated: Date;
  @TextField({ optional, nullable }) error: string | null;
}

export class StatsDto {
  @IntegerField({ optional, min: 0, description: 'Calls that have ended.' }) totalCalls: number;
  @NumberField({ optional, description: 'The part of them that was connected, 0 to 1.' }) successRate: number;
  @NumberField({ optional, description: 'Seconds, over the connected ones.' }) avgCallDuration: number;
  @DateTimeField({ optional, nullable }) lastCallAt: Date | null;
}

/** What a client may set of an agent, when it creates or updates it. */
export class AgentFields {
  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;
  @NameField({ optional }) name?: string;
  @TextField({ choices: AGENT_TYPES }) type: AgentType;
  @TextsField({ optional, max: 200, orOne: true }) category?: string[];
  @TextField({ optional }) description?: string;
  @TextField({ optional, max: 2_000 }) image?: string;
  @TextsField({ optional, max: 500 }) features?: string[];
  @IntegerField({ optional }) popularity?: number;
  @NestedField(() => VoiceConfigDto, { optional }) voiceConfig?: VoiceConfigDto;
  @NestedField(() => AiModelDto, { optional }) aiModel?: AiModelDto;
  @NestedField(() => LlmConfigDto, { optional }) llmConfig?: LlmConfigDto;
  @NestedField(() => SttConfigDto, { optional }) sttConfig?: SttConfigDto;
  @NestedField(() => VoicemailConfigDto, { optional }) voicemailConfig?: VoicemailConfigDto;
  @NestedField(() => BackChannelConfigDto, { optional }) backChannelConfig?: BackChannelConfigDto;
  @NestedField(() => TimeoutConfigDto, { optional }) timeoutConfig?: TimeoutConfigDto;
  @NestedField(() => CallConfigDto, { optional }) callConfig?: CallConfigDto;
  @BooleanField({ optional }) fillerWords?: boolean;
  @BooleanField({ optional, description: 'Off: the agent takes no calls.' }) status?: boolean;
  @TextsField({ optional, max: 200 }) customVocabulary?: string[];
  @TimeZoneField({ optional }) timezone?: string;
  @TextField({ optional, max: MAX_GREETING_LENGTH }) greeting?: string;
  @TextField({ optional, max: MAX_PROMPT_LENGTH }) prompt?: string;
  @IdsField({ optional, maxItems: 100, description: 'Writing them replaces all.' }) knowledgeBases?: string[];
  @TextsField({ optional, max: 500 }) actions?: string[];
  @NestedField(() => DeploymentDto, { optional }) deployment?: DeploymentDto;
  @NestedField(() => StatsDto, { optional }) stats?: StatsDto;
  @TextField({ optional, nullable, max: 200 }) templateCategory?: string | null;
  @TextField({ optional, nullable, max: 200 }) industry?: string | null;
  @TextsField({ optional, max: 500 }) recommendedActions?: string[];
  @TextField({ optional, max: MAX_PROMPT_LENGTH }) localisedPrompt?: string;
  @BooleanField({ optional }) multiLingual?: boolean;
  @TextField({ optional, max: 50 }) primaryLanguage?: string;
  @TextsField({ optional, max: 50 }) secondaryLanguages?: string[];
  @TextsField({ optional, max: MAX_VARIABLE_NAME_LENGTH }) dynamic_variables?: string[];
}

@Example({
  name: 'Front desk',
  type: 'inbound',
  category: ['support'],
  description: 'Answers the phone of the practice.',
  timezone: 'Europe/Berlin',
  greeting: 'Good day, {{customer_name}}, what can I do for you?',
  prompt:
    'You answer the phone of a dental practice. Find out what the caller needs and offer an appointment.',
  dynamic_variables: ['customer_name'],
})
export class CreateAgentDto extends AgentFields {
  @TextField({ optional, max: 100, description: 'Prompt template to start from.' }) templateId?: string;
  @ObjectField({
    optional,
    maxKilobytes: 16,
    description: 'Handed to the runtime as it is. At most 16 KB as JSON in UTF-8.',
  })
  metaData?: Record<string, unknown>;
}

/** Takes back what reading an agent returned: the fields that can't be written are ignored. */
@Example({ type: 'inbound', greeting: 'Good day, {{customer_name}}.', llmConfig: { temperature: 0.4 } })
export class UpdateAgentDto extends AgentFields {
  @ReadOnly() _id?: unknown;
  @ReadOnly() userId?: unknown;
  @ReadOnly() createdAt?: unknown;
  @ReadOnly() updatedAt?: unknown;
  @ReadOnly() DND?: unknown;
  @ReadOnly() countryName?: unknown;
  @ReadOnly() widget?: unknown;
}

export const AGENT_SORT_FIELDS = ['name', 'type', 'status', 'createdAt', 'updatedAt'] as const;

export class ListAgentsQuery extends PageQuery {
  @TextField({ optional, max: 100, description: "Must be the credential's own." }) workspaceId?: string;
  @TextField({ optional, max: 200 }) category?: string;
  @TextField({ optional, max: 200, description: 'Part of the name.' }) search?: string;
  @TextField({ optional, choices: AGENT_TYPES }) type?: AgentType;
  @BooleanField({ optional, fromText: true }) status?: boolean;
  @TextField({ optional, choices: AGENT_SORT_FIELDS, default: 'createdAt' })
  sortBy: (typeof AGENT_SORT_FIELDS)[number] = 'createdAt';
  @TextField({ optional, choices: ['asc', 'desc'], default: 'desc' }) sortOrder: 'asc' | 'desc' = 'desc';
  @DateTimeField({ optional, description: 'Lower bound on creation.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Upper bound on creation.' }) end_date?: Date;
}
