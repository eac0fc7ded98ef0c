import { type CallStart, listVariables } from '@parley/worker';
import type { CarrierSpeech } from '../speech/carrier-speech';
import { type Fallbacks, NO_FALLBACKS } from '../providers/fallbacks';
import { addRegion, toLanguageCode } from '../speech/languages';
import { REALTIME } from '../speech/speech';
import { closeSpaces, createFilling, TIME_VARIABLES } from './fill-texts';
import type { Plan, Warning } from './plan';
import { clamped, positive, smallestPositive, switchPair, type Warn } from './ranges';
import {
  resolveBackChannel,
  resolveBackground,
  resolveTools,
  resolveTransfers,
  resolveVocabulary,
  resolveVoicemail,
} from './resolve-extras';
import { resolveFollowers } from './resolve-followers';
import { resolveRealtime, resolveRealtimeModel } from './resolve-realtime';
import {
  resolveOwnVoice,
  resolveRecognition,
  resolveVoice,
  takeTerms,
  warnOfIgnored,
} from './resolve-speech';

export { localVoice } from './resolve-speech';

/** The services that this runtime can reach. Keys are settings, never fields of an agent. */
export interface Providers {
  /** Language models by the agent's word for them, such as `openai` or `openai-realtime`. */
  models: ReadonlySet<string>;
  /** Providers of recognition and synthesis; default: none but this machine. */
  recognizers?: ReadonlySet<string>;
  voices?: ReadonlySet<string>;
  /** The providers that follow one that fails; default: none. */
  fallbacks?: Fallbacks;
  /** The hearing and the voice of the carrier of the call, if it has them. */
  carrierSpeech?: CarrierSpeech;
  /** Whether the person has joined in writing. */
  isWritten?: boolean;
}

const NONE: ReadonlySet<string> = new Set();
const SECOND = 1_000;
const FILLERS = ['One moment.', 'Let me see.'];
/** Silence that ends a turn, for the patience 1, 2 and 3. */
const PATIENCE_MS = [200, 300, 600] as const;
/** The longest answer that a model is asked for: a quarter of an hour of speech. The operator pays for it. */
const MAX_TOKENS = 4_096;
const REMINDERS = 3;
const HELLO_MS = 1_500;

/** Resolves the fields of an agent and its call to a plan. It depends on nothing else but the time. */
export function resolveAgent(
  start: CallStart,
  providers: Providers,
  now: Date = new Date(),
): { plan: Plan; warnings: Warning[] } {
  const { agent } = start;
  const { voiceConfig: voice, sttConfig: stt, callConfig, timeoutConfig } = agent;
  const warnings: Warning[] = [];
  const warn = (code: string, text: string) => warnings.push({ code, text });
  const fellBack: string[] = [];

  // On a phone a chat agent speaks too: nothing can be written there.
  const isPhoneCall = start.call_type === 'phonecall';
  const spoken = isPhoneCall || (agent.type !== 'chat' && !providers.isWritten);
  const model = resolveModel(agent, providers, fellBack);
  const language = agent.primaryLanguage || voice.language || 'en';
  const isEnglish = toLanguageCode(language) === 'en';
  const vocabulary = resolveVocabulary(agent, warn);
  const { recognizers = NONE, voices = NONE } = providers;
  // A carrier that hears and speaks needs no service here.
  const isOwn = spoken && !providers.carrierSpeech;
  const isWarned = isOwn ? warn : () => undefined;
  const speech = {
    recognizers,
    voices,
    language,
    vocabulary,
    warn: isWarned,
    fellBack: isOwn ? fellBack : [],
  };
  const isRealtime = model.provider === REALTIME;
  if (isRealtime) model.model = resolveRealtimeModel(model.model, warn);
  const { voice: resolvedVoice, recognition } = isRealtime
    ? resolveRealtime(agent, speech)
    : { voice: resolveVoice(agent, speech), recognition: resolveRecognition(agent, speech) };
  if (fellBack.length > 0) {
    warn('provider_not_configured', `These are done on this machine instead: ${fellBack.join(', ')}.`);
  }

  const timeZone = resolveTimeZone([callConfig.timeZone, agent.timezone], warn);
  const { fill, complete } = createFilling(start, timeZone, now, warn);
  const isOwnSpeech = resolvedVoice.provider === 'local' || recognition.provider === 'local';
  if (isOwn && isOwnSpeech && !isEnglish) {
    warn(
      'language_not_spoken',
      `The speech of this machine is English, and the agent's language is ${language}.`,
    );
  }
  const isLocalised = agent.localisedPrompt !== '' && !isEnglish;
  const languages = agent.multiLingual
    ? `Answer in the person's language, if it is one of: ${[language, ...agent.secondaryLanguages].join(', ')}.`
    : '';
  const names = vocabulary.length > 0 ? `The person may say these names: ${vocabulary.join(', ')}.` : '';
  const manner = isRealtime && isOwn && voice.voicePrompt ? `Speak in this manner: ${voice.voicePrompt}` : '';
  // The server has filled the prompt and the greeting, and no other text.
  const instructions = isLocalised ? fill(agent.localisedPrompt) : complete(agent.prompt);
  const rest = [start.style, languages, names, manner].filter((part) => part !== '').join('\n\n');

  if (isOwn && resolvedVoice.provider === 'local') warnOfIgnored(agent, resolvedVoice.voice, warn);
  const patience = clamped('voiceConfig.patienceLevel', voice.patienceLevel, 1, 3, 1, warn);
  const patienceMs = PATIENCE_MS[Math.round(patience) - 1] ?? PATIENCE_MS[0];
  const utteranceMs = stt.utterance_end_ms > 0 ? stt.utterance_end_ms : SECOND;
  const seconds = (field: string, value: number, min: number, max: number, otherwise: number) =>
    clamped(field, value, min, max, otherwise, warn) * SECOND;

  const punctuationMs = seconds('sttConfig.on_punctuation_second', stt.on_punctuation_second, 0, 3, 0.1);
  const words = Math.round(clamped('voiceConfig.numberOfWords', voice.numberOfWords, 0, 10, 0, warn));
  const maximumSeconds = smallestPositive(
    [timeoutConfig.maximumDuration, callConfig.maxDuration, switchPair(callConfig.limitCallDuration)],
    600,
  );
  const silenceMs = seconds(
    'timeoutConfig.silenceTimeout',
    positive(timeoutConfig.silenceTimeout, 30),
    5,
    3_600,
    30,
  );
  const reminderSeconds = switchPair(callConfig.idleReminders);
  const reminderMs = seconds('callConfig.idleReminders', positive(reminderSeconds, 10), 3, 1_000, 10);
  const carried = {
    voice: ['elevenlabs', '11labs'].includes(voice.provider) ? voice.voiceId : '',
    isMultilingual: agent.multiLingual && agent.secondaryLanguages.length > 0,
  };
  const known = [...Object.keys(listVariables(start)), ...TIME_VARIABLES];
  const missing = agent.dynamic_variables.filter((name) => !known.includes(name));
  const greeting = complete(start.greeting);

  const { fallbacks = NO_FALLBACKS } = providers;
  const followers = resolveFollowers(
    agent,
    { language: model, recognition, voice: resolvedVoice, isSpokenHere: isOwn, isEnglish },
    fallbacks,
    { recognizers, voices, language, vocabulary },
  );
  const transfers = isPhoneCall ? resolveTransfers(agent) : [];
  const plan: Plan = {
    spoken,
    greeting: Object.values(start.dynamic_variables).includes('') ? closeSpaces(greeting) : greeting,
    prompt: [instructions, fill(rest)].filter((part) => part !== '').join('\n\n'),
    missingVariables: [...new Set(missing)],
    language: model,
    recognition,
    voice: resolvedVoice,
    followers,
    lastResort: transfers.length > 0 ? fallbacks.lastResort : 'apologise',
    ...(Object.values(followers).some(({ length }) => length > 0) && {
      whileDue: isEnglish ? 'words' : 'tone',
    }),
    carrierSpeech: {
      ...{ language: addRegion(language, voice.language), ...carried },
      terms: providers.carrierSpeech
        ? takeTerms('The carrier', vocabulary, providers.carrierSpeech.cutTerms(vocabulary, carried), warn)
        : [],
    },
    ownVoice: resolveOwnVoice(agent, () => undefined),
    turns: {
      endOfTurnMs: Math.min(patienceMs, utteranceMs),
      endOfSentenceMs: Math.min(Math.max(patienceMs, punctuationMs), utteranceMs),
      waitMs: seconds('sttConfig.waitseconds', stt.waitseconds, 0, 5, 0.4),
      helloMs: start.call_type === 'phonecall' && start.direction === 'outbound' ? HELLO_MS : 0,
    },
    interruption: {
      words,
      voiceMs: seconds('voiceConfig.voiceSeconds', voice.voiceSeconds, 0, 0.5, 0.2),
      backOffMs: seconds('voiceConfig.backOfSeconds', voice.backOfSeconds, 0, 10, 1),
      byVoice: stt.vadEnabled,
    },
    limits: {
      silenceMs,
      maximumMs: clamped('maximum duration', maximumSeconds, 10, 43_200, 600, warn) * SECOND,
    },
    ...(reminderSeconds > 0 && reminderMs < silenceMs
      ? { reminder: { afterMs: reminderMs, times: REMINDERS } }
      : {}),
    fillers: agent.fillerWords ? FILLERS : [],
    backChannel: resolveBackChannel(agent, warn),
    background: resolveBackground(agent, warn),
    voicemail: resolveVoicemail(start, fill),
    vocabulary,
    tools: resolveTools(start),
    transfers,
    recording: callConfig.recordingEnabled && spoken,
    transcript: callConfig.transcriptionEnabled,
  };
  return { plan, warnings };
}

function resolveModel(
  { llmConfig, aiModel }: CallStart['agent'],
  { models }: Providers,
  fellBack: string[],
): Plan['language'] {
  const provider = llmConfig.provider || aiModel.provider;
  const isLocal = provider === '' || provider === 'local';
  const isKnown = models.has(provider);
  if (!isLocal && !isKnown) fellBack.push(`language model (${provider})`);
  const temperature = llmConfig.temperature ?? aiModel.temperature ?? 0.7;
  return {
    provider: isKnown ? provider : 'local',
    model: llmConfig.model || aiModel.model,
    temperature: Math.min(2, Math.max(0, temperature)),
    maxTokens: Math.min(MAX_TOKENS, positive(llmConfig.maxTokens, positive(aiModel.maxTokens, 250))),
  };
}

function resolveTimeZone(zones: string[], warn: Warn): string {
  for (const zone of zones.filter((name) => name !== '')) {
    try {
      return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone;
    } catch {
      warn('unknown_time_zone', `The time zone ${zone} is not known.`);
    }
  }
  return 'UTC';
}
