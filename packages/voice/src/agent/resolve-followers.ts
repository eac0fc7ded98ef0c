import type { CallStart } from '@parley/worker';
import type { Fallbacks } from '../providers/fallbacks';
import { REALTIME } from '../speech/speech';
import type { Plan } from './plan';
import { resolveOwnVoice, resolveRecognition, resolveVoice, type SpeechContext } from './resolve-speech';

type Agent = CallStart['agent'];

interface Own extends Pick<Plan, 'language' | 'recognition' | 'voice'> {
  /** Whether the call is spoken, and this runtime does recognition and synthesis, not the carrier. */
  isSpokenHere: boolean;
  isEnglish: boolean;
}

const NONE: Plan['followers'] = { recognition: [], language: [], synthesis: [] };

/** The providers that go on when a provider of the agent fails. No provider follows a model that hears and speaks by itself. */
export function resolveFollowers(
  agent: Agent,
  { language, recognition, voice, isSpokenHere, isEnglish }: Own,
  fallbacks: Fallbacks,
  { recognizers, voices, ...context }: Omit<SpeechContext, 'warn' | 'fellBack'>,
): Plan['followers'] {
  if (language.provider === REALTIME) return NONE;
  const quiet: SpeechContext = { ...context, recognizers, voices, warn: () => undefined, fellBack: [] };
  const { sttConfig, voiceConfig } = agent;
  // The scripted assistant does not fail.
  const models =
    language.provider === 'local'
      ? []
      : fallbacks.language.map(({ provider, model }) => ({
          ...language,
          provider,
          model: model ?? language.model,
        }));
  const followers = { ...NONE, language: models.filter((model) => !isSame(model, language)) };
  if (!isSpokenHere) return followers;
  const isLocalLast = fallbacks.hasLocal && isEnglish;
  const hearing = fallbacks.recognition.map(({ provider, model }) => {
    const named = model ?? (recognition.provider === 'local' ? '' : sttConfig.model);
    return resolveRecognition({ ...agent, sttConfig: { ...sttConfig, provider, model: named } }, quiet);
  });
  const speaking = fallbacks.synthesis.map(({ provider, model }) => {
    const isLike = voice.provider !== 'local';
    const voiceId = model ?? (isLike ? voiceConfig.voiceId : '');
    const own = { ...voiceConfig, provider, voiceId, ...(!isLike && { model: '' }) };
    return resolveVoice({ ...agent, voiceConfig: own }, quiet);
  });
  if (isLocalLast && recognition.provider !== 'local')
    hearing.push({ provider: 'local', model: '', language: context.language, terms: [] });
  if (isLocalLast && voice.provider !== 'local')
    speaking.push({ provider: 'local', ...resolveOwnVoice(agent, () => undefined) });
  return {
    ...followers,
    recognition: hearing.filter((each) => !isSame(each, recognition)),
    synthesis: speaking.filter((each) => each.provider !== voice.provider || each.voice !== voice.voice),
  };
}

const isSame = (one: { provider: string; model: string }, other: { provider: string; model: string }) =>
  one.provider === other.provider && one.model === other.model;
