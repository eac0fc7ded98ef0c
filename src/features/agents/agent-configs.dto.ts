import { ApiProperty } from '@nestjs/swagger';
import { Exclude } from 'class-transformer';
import {
  BooleanField,
  IntegerField,
  NestedField,
  NumberField,
  SwitchPairField,
} from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField, TimeZoneField } from '../../platform/validation/text-fields';

const optional = true;
const nullable = true;

/** Marks a field that a client may send, as it has read it, but cannot change. */
export const ReadOnly = () => Exclude({ toClassOnly: true });

export class VoiceConfigDto {
  @TextField({
    optional,
    max: 200,
    description: 'The company that speaks the texts, as the runtime names it.',
  })
  provider: string;
  @ReadOnly()
  @ApiProperty({ readOnly: true })
  @TextField({ optional, max: 200, description: 'Decided by the provider. Ignored in an update.' })
  model: string;
  @TextField({ optional, max: 200, description: "The provider's id of the voice." }) voiceId: string;
  @TextField({ optional, max: 50, description: 'The language that the voice speaks, such as en-US.' })
  language: string;
  @IntegerField({
    optional,
    description:
      'How long the agent lets a person pause: a higher level waits longer. The runtime sets the scale.',
  })
  patienceLevel: number;
  @NumberField({ optional, description: 'How fast the voice speaks. 1 is its normal speed.' }) speed: number;
  @NumberField({ optional, description: 'How high the voice is, on the scale of the provider.' })
  pitch: number;
  @NumberField({
    optional,
    description: 'How much the provider prefers a fast answer to quality, on its scale.',
  })
  latency: number;
  @NumberField({ optional, description: 'How evenly the voice speaks, on the scale of the provider.' })
  stability: number;
  @NumberField({ optional, description: 'How expressive the voice is, on the scale of the provider.' })
  styleExaggeration: number;
  @NumberField({
    optional,
    description: 'How close the voice stays to its original, on the scale of the provider.',
  })
  similarity: number;
  @TextField({ optional, nullable, max: 200, description: 'How the provider uses the voice prompt.' })
  voicePromptType: string | null;
  @TextField({
    optional,
    nullable,
    description: 'How the voice should speak, in words, for providers that take it.',
  })
  voicePrompt: string | null;
  @IntegerField({ optional, description: 'Words the user must say to interrupt the agent.' })
  numberOfWords: number;
  @NumberField({ optional, description: 'Seconds of speech that interrupt the agent.' }) voiceSeconds: number;
  @NumberField({ optional, description: 'Seconds the agent waits after an interruption.' })
  backOfSeconds: number;
}

export class AiModelDto {
  @TextField({ optional, max: 200, description: 'The company that runs the model, as the runtime names it.' })
  provider: string;
  @TextField({ optional, max: 200, description: "The provider's name of the model." }) model: string;
  @NumberField({
    optional,
    description: 'How freely the model chooses its words, on the scale of the provider.',
  })
  temperature: number;
  @IntegerField({ optional, description: 'The longest answer of the model, in tokens.' }) maxTokens: number;
}

export class LlmConfigDto {
  @TextField({
    optional,
    max: 200,
    description: 'The company that runs the language model, as the runtime names it.',
  })
  provider: string;
  @TextField({ optional, max: 200, description: "The provider's name of the language model." }) model: string;
  @NumberField({
    optional,
    min: 0,
    max: 2,
    description: 'How freely the model chooses its words. 0 always takes the most likely one.',
  })
  temperature: number;
  @IntegerField({ optional, min: 1, description: 'The longest answer of the language model, in tokens.' })
  maxTokens: number;
}

export class SttConfigDto {
  @TextField({
    optional,
    max: 200,
    description: 'The company that recognizes speech, as the runtime names it.',
  })
  provider: string;
  @TextField({ optional, max: 200, description: "The provider's name of the model that recognizes speech." })
  model: string;
  @IntegerField({ optional, min: 0, description: 'In milliseconds.' }) utterance_end_ms: number;
  @NumberField({ optional, min: 0, description: 'In seconds.' }) on_punctuation_second: number;
  @BooleanField({ optional, description: 'Whether voice activity is detected.' }) vadEnabled: boolean;
  @BooleanField({ optional, description: 'Whether noise is cancelled before speech is recognized.' })
  ncEnabled: boolean;
  @BooleanField({ optional, description: 'Whether the end of speech is found by voice activity.' })
  vad_detection: boolean;
  @TextsField({
    optional,
    max: 200,
    description: 'Words that the recognition should expect, such as names of products.',
  })
  keywords: string[];
  @TextsField({
    optional,
    max: 200,
    description: 'Terms of several words that the recognition should expect.',
  })
  keyterms: string[];
  @NumberField({ optional, description: 'In seconds.' }) waitseconds: number;
}

export class VoicemailConfigDto {
  @BooleanField({ optional, description: 'Whether the agent leaves a message on a voicemail.' })
  isEnabled: boolean;
  @TextField({ optional, nullable, description: 'What the agent says to a voicemail.' }) message:
    string | null;
}

export class BackChannelConfigDto {
  @BooleanField({ optional, description: 'Whether the agent says short words while it listens.' })
  isEnabled: boolean;
  @NumberField({ optional, description: 'How often it does so, on the scale of the runtime.' })
  frequency: number;
  @TextsField({ optional, max: 200, description: 'What it says then, such as "I see".' })
  backchannelWords: string[];
}

export class TimeoutConfigDto {
  @NumberField({ optional, description: 'Seconds of silence that end a call.' }) silenceTimeout: number;
  @NumberField({ optional, description: 'Seconds after which a call is ended.' }) maximumDuration: number;
}

export class VoicemailDetectionDto {
  @BooleanField({ optional, description: 'Whether the runtime finds out that a voicemail has answered.' })
  enabled: boolean;
  @TextField({ optional, max: 200, description: 'How it finds out, as the runtime names it.' }) type: string;
}

export class CallConfigDto {
  @TimeZoneField({ optional, description: 'The time zone that the agent assumes for the person.' })
  timeZone: string;
  @IntegerField({ optional, description: 'In seconds.' }) maxDuration: number;
  @NestedField(() => VoicemailDetectionDto, { optional }) voicemailDetection: VoicemailDetectionDto;
  @BooleanField({ optional, description: 'Whether the runtime records the call.' }) recordingEnabled: boolean;
  @BooleanField({ optional, description: 'Whether the runtime reports what was said.' })
  transcriptionEnabled: boolean;
  @BooleanField({ optional, description: 'Whether the voice is made clearer.' }) speakerBoost: boolean;
  @SwitchPairField({
    optional,
    description: 'Whether the agent speaks to a person who says nothing, and after how many seconds.',
  })
  idleReminders: [boolean | number, boolean | number];
  @SwitchPairField({
    optional,
    description: 'Whether the call is ended when it is too long, and after how many seconds.',
  })
  limitCallDuration: [boolean | number, boolean | number];
  @TextField({
    optional,
    nullable,
    max: 200,
    description: 'The place whose noise is played in the background, as the runtime names it.',
  })
  backGroundNoiseEnv: string | null;
  @TextField({ optional, nullable, max: 200, description: 'How loud the noise is, as the runtime names it.' })
  backGroundNoiseLevel: string | null;
  @NumberField({
    optional,
    description: 'From which level on sounds count as speech, on the scale of the runtime.',
  })
  backGroundNoiseThreshold: number;
  @IntegerField({ optional, description: 'In seconds.' }) backGroundNoiseTimeout: number;
  @NumberField({
    optional,
    description: 'From which level on sounds keep a call alive, on the scale of the runtime.',
  })
  backGroundNoiseTimeoutThreshold: number;
  @IntegerField({ optional, description: 'In seconds.' }) backGroundNoiseTimeoutInterval: number;
}
