import { ApiProperty } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import {
  BooleanField,
  DateTimeField,
  IntegerField,
  NestedField,
  NumberField,
  SwitchPairField,
} from '../validation/fields';
import { IdsField, TextsField } from '../validation/item-fields';
import { NameField, TextField, TimeZoneField } from '../validation/text-fields';
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

/** A client may send it, as it has read it, but cannot change it. */
export const ReadOnly = () => Exclude({ toClassOnly: true });

export class VoiceConfigDto {
  @TextField({ optional, max: 200 }) provider: string;
  @ReadOnly()
  @ApiProperty({ readOnly: true })
  @TextField({ optional, max: 200, description: 'Decided by the provider. Ignored in an update.' })
  model: string;
  @TextField({ optional, max: 200 }) voiceId: string;
  @TextField({ optional, max: 50 }) language: string;
  @IntegerField({ optional }) patienceLevel: number;
  @NumberField({ optional }) speed: number;
  @NumberField({ optional }) pitch: number;
  @NumberField({ optional }) latency: number;
  @NumberField({ optional }) stability: number;
  @NumberField({ optional }) styleExaggeration: number;
  @NumberField({ optional }) similarity: number;
  @TextField({ optional, nullable, max: 200 }) voicePromptType: string | null;
  @TextField({ optional, nullable }) voicePrompt: string | null;
  @IntegerField({ optional, description: 'Words the user must say to interrupt the agent.' })
  numberOfWords: number;
  @NumberField({ optional, description: 'Seconds of speech that interrupt the agent.' }) voiceSeconds: number;
  @NumberField({ optional, description: 'Seconds the agent waits after an interruption.' })
  backOfSeconds: number;
}

export class AiModelDto {
  @TextField({ optional, max: 200 }) provider: string;
  @TextField({ optional, max: 200 }) model: string;
  @NumberField({ optional }) temperature: number;
  @IntegerField({ optional }) maxTokens: number;
}

export class LlmConfigDto {
  @TextField({ optional, max: 200 }) provider: string;
  @TextField({ optional, max: 200 }) model: string;
  @NumberField({ optional, min: 0, max: 2 }) temperature: number;
  @IntegerField({ optional, min: 1 }) maxTokens: number;
}

export class SttConfigDto {
  @TextField({ optional, max: 200 }) provider: string;
  @TextField({ optional, max: 200 }) model: string;
  @IntegerField({ optional, min: 0, description: 'In milliseconds.' }) utterance_end_ms: number;
  @NumberField({ optional, min: 0, description: 'In seconds.' }) on_punctuation_second: number;
  @BooleanField({ optional }) vadEnabled: boolean;
  @BooleanField({ optional }) ncEnabled: boolean;
  @BooleanField({ optional }) vad_detection: boolean;
  @TextsField({ optional, max: 200 }) keywords: string[];
  @TextsField({ optional, max: 200 }) keyterms: string[];
  @NumberField({ optional, description: 'In seconds.' }) waitseconds: number;
}

export class VoicemailConfigDto {
  @BooleanField({ optional }) isEnabled: boolean;
  @TextField({ optional, nullable }) message: string | null;
}

export class BackChannelConfigDto {
  @BooleanField({ optional }) isEnabled: boolean;
  @NumberField({ optional }) frequency: number;
  @TextsField({ optional, max: 200 }) backchannelWords: string[];
}

export class TimeoutConfigDto {
  @NumberField({ optional, description: 'Seconds of silence that end a call.' }) silenceTimeout: number;
  @NumberField({ optional, description: 'Seconds after which a call is ended.' }) maximumDuration: number;
}

export class VoicemailDetectionDto {
  @BooleanField({ optional }) enabled: boolean;
  @TextField({ optional, max: 200 }) type: string;
}

export class CallConfigDto {
  @TimeZoneField({ optional }) timeZone: string;
  @IntegerField({ optional, description: 'In seconds.' }) maxDuration: number;
  @NestedField(() => VoicemailDetectionDto, { optional }) voicemailDetection: VoicemailDetectionDto;
  @BooleanField({ optional }) recordingEnabled: boolean;
  @BooleanField({ optional }) transcriptionEnabled: boolean;
  @BooleanField({ optional }) speakerBoost: boolean;
  @SwitchPairField({ optional }) idleReminders: [boolean | number, boolean | number];
  @SwitchPairField({ optional }) limitCallDuration: [boolean | number, boolean | number];
  @TextField({ optional, nullable, max: 200 }) backGroundNoiseEnv: string | null;
  @TextField({ optional, nullable, max: 200 }) backGroundNoiseLevel: string | null;
  @NumberField({ optional }) backGroundNoiseThreshold: number;
  @IntegerField({ optional, description: 'In seconds.' }) backGroundNoiseTimeout: number;
  @NumberField({ optional }) backGroundNoiseTimeoutThreshold: number;
  @IntegerField({ optional, description: 'In seconds.' }) backGroundNoiseTimeoutInterval: number;
}

export class DeploymentDto {
  @TextField({ optional, choices: DEPLOYMENT_STATUSES }) status: DeploymentStatus;
  @IntegerField({ optional, min: 1, max: MAX_VERSION }) version: number;
  @DateTimeField({ optional, nullable }) deployedAt: Date | null;
  @DateTimeField({ optional }) lastUpdated: Date;
  @TextField({ optional, nullable }) error: string | null;
}

export class StatsDto {
  @IntegerField({ optional, min: 0, description: 'The calls that have ended.' }) totalCalls: number;
  @NumberField({ optional, description: 'The share of ended calls that were connected, 0 to 1.' })
  successRate: number;
  @NumberField({ optional, description: 'The average duration of the connected calls, in seconds.' })
  avgCallDuration: number;
  @DateTimeField({ optional, nullable }) lastCallAt: Date | null;
}

/**
 * What a client may set when it creates or updates an agent, and reads back. A field that is not a column of the agent
 * has its default in agent-defaults.ts; what calls do not depend on is also one of its PRESENTATION_FIELDS.
 */
export class AgentFields {
  @TextField({ optional, max: 100, description: 'The workspace of the credential. Another one is refused.' })
  workspaceId?: string;
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
  @BooleanField({ optional, description: 'false: the agent makes and takes no calls.' }) status?: boolean;
  @TextsField({ optional, max: 200 }) customVocabulary?: string[];
  @TimeZoneField({ optional }) timezone?: string;
  @TextField({ optional, max: MAX_GREETING_LENGTH }) greeting?: string;
  @TextField({ optional, max: MAX_PROMPT_LENGTH }) prompt?: string;
  @IdsField({
    optional,
    maxItems: 100,
    description: 'The ids of its knowledge bases. An update replaces the whole list.',
  })
  knowledgeBases?: string[];
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
