import type { CallStart } from '@parley/worker';
import { cutTerms } from '../speech/deepgram/listen-url';
import { chooseLanguage, DEEPGRAM_NOVA, listElevenLabsLanguages } from '../speech/languages';
import { FLITE_VOICES } from '../speech/local/flite';
import type { VoiceSettings } from '../speech/speech';
import type { Plan } from './plan';
import { clamped, type Warn } from './ranges';

type Agent = CallStart['agent'];

/** The voice of ElevenLabs for agents that name none. Every account has it. */
const ELEVENLABS_VOICE = '21m00Tcm4TlvDq8ikWAM';
const ELEVENLABS_NAMES = ['elevenlabs', '11labs'];
const LOCAL_NAMES = ['', 'local', 'flite', 'moonshine'];

export interface SpeechContext {
  /** The providers whose keys are set. */
  recognizers: ReadonlySet<string>;
  voices: ReadonlySet<string>;
  language: string;
  vocabulary: readonly string[];
  warn: Warn;
  /** Gets a name for each provider that this runtime cannot reach. */
  fellBack: string[];
}

export function resolveRecognition(agent: Agent, context: SpeechContext): Plan['recognition'] {
  const { provider, model } = agent.sttConfig;
  const { recognizers, language, vocabulary, warn, fellBack } = context;
  const local = { provider: 'local', model: '', language, terms: [] } as const;
  if (LOCAL_NAMES.includes(provider)) return { ...local, terms: [] };
  if (!recognizers.has(provider)) {
    fellBack.push(`recognition (${provider})`);
    return { ...local, terms: [] };
  }
  const isFlux = model.startsWith('flux');
  if (isFlux) warn('value_unknown', `sttConfig.model is ${model}; the default model of Deepgram is used.`);
  const spoken = agent.multiLingual ? 'multi' : language;
  const isNova = isFlux || model === '' || model.startsWith('nova');
  const terms = takeTerms('Deepgram', vocabulary, cutTerms(vocabulary), warn);
  return {
    provider,
    model: isFlux ? '' : model,
    language: isNova ? takeLanguage('Deepgram', DEEPGRAM_NOVA, spoken, warn) : spoken,
    terms,
  };
}

/** The service's name for a language. If it has none, the language is left out, and the service uses its own way. */
export function takeLanguage(
  service: string,
  known: ReadonlySet<string>,
  language: string,
  warn: Warn,
): string {
  const taken = chooseLanguage(known, language);
  if (taken === '')
    warn(
      'value_unknown',
      `${service} does not support the language ${language}, so no language is sent to it.`,
    );
  return taken;
}

/** @param taken the terms that the service takes @returns them */
export function takeTerms(service: string, all: readonly string[], taken: string[], warn: Warn): string[] {
  if (taken.length < all.length)
    warn(
      'value_out_of_range',
      `${service} takes ${taken.length} of the ${all.length} terms of the vocabulary.`,
    );
  return taken;
}

export function resolveVoice(agent: Agent, context: SpeechContext): Plan['voice'] {
  const { voiceConfig: voice, callConfig } = agent;
  const { voices, language, warn, fellBack } = context;
  const provider = ELEVENLABS_NAMES.includes(voice.provider) ? 'elevenlabs' : voice.provider;
  if (!voices.has(provider)) {
    if (!LOCAL_NAMES.includes(voice.provider)) fellBack.push(`voice (${voice.provider})`);
    return { provider: 'local', ...resolveOwnVoice(agent, warn) };
  }
  const share = (name: 'stability' | 'similarity' | 'styleExaggeration', otherwise: number) => {
    const given = voice[name];
    // Percentages are known by their size.
    const isPercent = given > 1 && given <= 100;
    if (isPercent) warn('value_out_of_range', `voiceConfig.${name} is ${given}; ${given / 100} is used.`);
    return clamped(`voiceConfig.${name}`, isPercent ? given / 100 : given, 0, 1, otherwise, warn);
  };
  if (voice.voiceId === '')
    warn('value_unknown', `voiceConfig.voiceId is not set; the voice ${ELEVENLABS_VOICE} is used.`);
  if (voice.pitch !== 0 && voice.pitch !== 1)
    warn('field_ignored', 'The voices of elevenlabs do not have: pitch.');
  const known = listElevenLabsLanguages(voice.model);
  const isLatency = Number.isInteger(voice.latency) && voice.latency >= 0 && voice.latency <= 4;
  return {
    provider,
    voice: voice.voiceId || ELEVENLABS_VOICE,
    speed: clamped('voiceConfig.speed', voice.speed, 0.7, 1.2, 1, warn),
    pitch: 1,
    ...(voice.model ? { model: voice.model } : {}),
    ...(known ? { language: takeLanguage('ElevenLabs', known, voice.language || language, warn) } : {}),
    stability: share('stability', 0.5),
    similarity: share('similarity', 0.75),
    style: share('styleExaggeration', 0),
    boost: callConfig.speakerBoost,
    ...(isLatency ? { latency: voice.latency } : {}),
  };
}

/** The voice of this machine for the agent. */
export function resolveOwnVoice({ voiceConfig: voice }: Agent, warn: Warn): VoiceSettings {
  return {
    voice: localVoice(voice.voiceId),
    speed: clamped('voiceConfig.speed', voice.speed, 0.5, 2, 1, warn),
    pitch: clamped('voiceConfig.pitch', voice.pitch || 1, 0.5, 2, 1, warn),
  };
}

/** Fields of the voices of ElevenLabs that differ from the defaults of the server. */
export function listIgnored({ voiceConfig, callConfig }: Agent): string[] {
  const { stability, similarity, styleExaggeration } = voiceConfig;
  return [
    ...(stability === 0.5 ? [] : ['stability']),
    ...(similarity === 0.75 ? [] : ['similarity']),
    ...(styleExaggeration === 0 ? [] : ['styleExaggeration']),
    ...(callConfig.speakerBoost ? ['speakerBoost'] : []),
  ];
}

/** Fields that a voice of this machine does not have. One warning, because every agent has them. */
export function warnOfIgnored(agent: Agent, voice: string, warn: Warn): void {
  const { voicePrompt, pitch } = agent.voiceConfig;
  const ignored = [
    ...listIgnored(agent),
    ...(voicePrompt ? ['voicePrompt'] : []),
    ...(voice === 'rms' && pitch !== 0 && pitch !== 1 ? ['pitch'] : []),
  ];
  if (ignored.length > 0)
    warn('field_ignored', `The voice ${voice} of this machine does not have: ${ignored.join(', ')}.`);
}

/** A voice that is not known here gets one of the local voices, always the same. */
export function localVoice(voiceId: string): string {
  const known = FLITE_VOICES.find((voice) => voice === voiceId);
  if (known) return known;
  let hash = 0;
  for (const char of voiceId) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return FLITE_VOICES[hash % FLITE_VOICES.length] ?? FLITE_VOICES[0];
}
