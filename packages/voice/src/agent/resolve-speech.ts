import type { CallStart } from '@parley/worker';
import { cutTerms } from '../speech/deepgram/listen-url';
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
  if (provider !== 'deepgram' || !recognizers.has('deepgram')) {
    fellBack.push(`recognition (${provider})`);
    return { ...local, terms: [] };
  }
  const isFlux = model.startsWith('flux');
  if (isFlux) warn('value_unknown', `sttConfig.model is ${model}; the default model of Deepgram is used.`);
  const terms = cutTerms(vocabulary);
  if (terms.length < vocabulary.length)
    warn(
      'value_out_of_range',
      `Deepgram takes ${terms.length} of the ${vocabulary.length} terms of the vocabulary.`,
    );
  return {
    provider: 'deepgram',
    model: isFlux ? '' : model,
    language: agent.multiLingual ? 'multi' : language,
    terms,
  };
}

export function resolveVoice(agent: Agent, context: SpeechContext): Plan['voice'] {
  const { voiceConfig: voice, callConfig } = agent;
  const { voices, language, warn, fellBack } = context;
  const isElevenLabs = ELEVENLABS_NAMES.includes(voice.provider);
  if (!isElevenLabs || !voices.has('elevenlabs')) {
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
  const isLatency = Number.isInteger(voice.latency) && voice.latency >= 0 && voice.latency <= 4;
  return {
    provider: 'elevenlabs',
    voice: voice.voiceId || ELEVENLABS_VOICE,
    speed: clamped('voiceConfig.speed', voice.speed, 0.7, 1.2, 1, warn),
    pitch: 1,
    ...(voice.model ? { model: voice.model } : {}),
    language: (agent.voiceConfig.language || language).slice(0, 2).toLowerCase(),
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

/** Fields of other voices that differ from the defaults of the server. One warning, because every agent has them. */
export function warnOfIgnored({ voiceConfig, callConfig }: Agent, voice: string, warn: Warn): void {
  const { stability, similarity, styleExaggeration, voicePrompt, pitch } = voiceConfig;
  const ignored = [
    ...(stability === 0.5 ? [] : ['stability']),
    ...(similarity === 0.75 ? [] : ['similarity']),
    ...(styleExaggeration === 0 ? [] : ['styleExaggeration']),
    ...(voicePrompt ? ['voicePrompt'] : []),
    ...(voice === 'rms' && pitch !== 0 && pitch !== 1 ? ['pitch'] : []),
    ...(callConfig.speakerBoost ? ['speakerBoost'] : []),
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
