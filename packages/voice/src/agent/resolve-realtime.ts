import type { CallStart } from '@parley/worker';
import { OPENAI } from '../speech/languages';
import { REALTIME } from '../speech/speech';
import type { Plan } from './plan';
import { clamped, type Warn } from './ranges';
import { listIgnored, takeLanguage } from './resolve-speech';

type Agent = CallStart['agent'];

const MODEL = 'gpt-realtime';
const VOICES = ['alloy', 'ash', 'ballad', 'coral', 'echo', 'sage', 'shimmer', 'verse', 'marin', 'cedar'];
const VOICE = 'marin';
/** The names under which an agent may choose a voice of OpenAI. */
const VOICE_NAMES = ['openai', REALTIME];

export interface RealtimeContext {
  language: string;
  vocabulary: readonly string[];
  warn: Warn;
}

/** A model that hears and speaks by itself: the providers of recognition and synthesis that the agent names do nothing. */
export function resolveRealtime(
  agent: Agent,
  { language, vocabulary, warn }: RealtimeContext,
): Pick<Plan, 'recognition' | 'voice'> {
  const { sttConfig: stt, voiceConfig: voice, llmConfig } = agent;
  const isVoice = VOICES.includes(voice.voiceId);
  if (!isVoice && VOICE_NAMES.includes(voice.provider))
    warn(
      'value_unknown',
      `voiceConfig.voiceId is ${voice.voiceId || 'not set'}; the voice ${VOICE} is used.`,
    );
  const ignored = [
    ...listIgnored(agent),
    ...(voice.pitch !== 0 && voice.pitch !== 1 ? ['pitch'] : []),
    ...(llmConfig.temperature === 0.7 ? [] : ['temperature']),
  ];
  if (ignored.length > 0) warn('field_ignored', `${REALTIME} does not have: ${ignored.join(', ')}.`);
  return {
    recognition: {
      provider: REALTIME,
      model: stt.provider === REALTIME ? stt.model : '',
      language: agent.multiLingual ? 'multi' : takeLanguage('OpenAI', OPENAI, language, warn),
      terms: [...vocabulary],
      noiseReduction: stt.ncEnabled,
    },
    voice: {
      provider: REALTIME,
      voice: isVoice ? voice.voiceId : VOICE,
      speed: clamped('voiceConfig.speed', voice.speed, 0.25, 1.5, 1, warn),
      pitch: 1,
    },
  };
}

/** The model of the agent, if it is one that hears and speaks. */
export function resolveRealtimeModel(model: string, warn: Warn): string {
  if (model.includes('realtime')) return model;
  if (model !== '') warn('value_unknown', `llmConfig.model is ${model}; ${MODEL} is used.`);
  return MODEL;
}
