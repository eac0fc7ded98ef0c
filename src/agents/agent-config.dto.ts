import { ApiProperty } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import { BooleanField, IntegerField, NestedField, NumberField, SwitchPairField } from '../validation/fields';
import { TextsField } from '../validation/item-fields';
import { TextField, TimeZoneField } from '../validation/text-fields';

const optional = true;
const nullable = true;

/** What a client may send back as it got it, but not change. */
export const ReadOnly = () => Exclude({ toClassOnly: true });

export class VoiceConfigDto {
  @TextField({ optional, max: 200 }) provider: string;
  @ReadOnly()
  @ApiProperty({ readOnly: true })
  @TextField({ optional, max: 200, description: 'Follows the provider.' })
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
  @IntegerField({ optional, min: 0, description: 'Milliseconds.' }) utterance_end_ms: number;
  @NumberField({ optional, min: 0, description: 'Seconds.' }) on_punctuation_second: number;
  @BooleanField({ optional }) vadEnabled: boolean;
  @BooleanField({ optional }) ncEnabled: boolean;
  @BooleanField({ optional }) vad_detection: boolean;
  @TextsField({ optional, max: 200 }) keywords: string[];
  @TextsField({ optional, max: 200 }) keyterms: string[];
  @NumberField({ optional, description: 'Seconds.' }) waitseconds: number;
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
  @IntegerField({ optional, description: 'Seconds.' }) maxDuration: number;
  @NestedField(() => VoicemailDetectionDto, { optional }) voicemailDetection: VoicemailDetectionDto;
  @BooleanField({ optional }) recordingEnabled: boolean;
  @BooleanField({ optional }) transcriptionEnabled: boolean;
  @BooleanField({ optional }) speakerBoost: boolean;
  @SwitchPairField({ optional }) idleReminders: [boolean | number, boolean | number];
  @SwitchPairField({ optional }) limitCallDuration: [boolean | number, boolean | number];
  @TextField({ optional, nullable, max: 200 }) backGroundNoiseEnv: string | null;
  @TextField({ optional, nullable, max: 200 }) backGroundNoiseLevel: string | null;
  @NumberField({ optional }) backGroundNoiseThreshold: number;
  @IntegerField({ optional, description: 'Seconds.' }) backGroundNoiseTimeout: number;
  @NumberField({ optional }) backGroundNoiseTimeoutThreshold: number;
  @IntegerField({ optional, description: 'Seconds.' }) backGroundNoiseTimeoutInterval: number;
}
