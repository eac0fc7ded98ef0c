import type { CallStart } from '@parley/worker';
import { FLITE_VOICES } from '../speech/local/flite';
import type { Plan, Warning } from './plan';

/** What this runtime can reach. Keys are settings, never fields of an agent. */
export interface Providers {
  /** Language models by the agent's word for them, such as `openai`. */
  models: ReadonlySet<string>;
}

const SECOND = 1_000;
const FILLERS = ['One moment.', 'Let me see.'];
/** Silence that ends a turn, by patience. */
const PATIENCE_MS = new Map([
  [1, 200],
  [2, 300],
  [3, 600],
]);
const REMINDERS = 3;

/** What a conversation does, from the fields of its agent and its call. Depends on nothing else but the time. */
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

  const model = resolveModel(agent, providers, fellBack);
  if (voice.provider && !['local', 'flite'].includes(voice.provider))
    fellBack.push(`voice (${voice.provider})`);
  if (stt.provider && !['local', 'moonshine'].includes(stt.provider))
    fellBack.push(`recognition (${stt.provider})`);
  if (fellBack.length > 0) {
    warn('provider_not_configured', `These are done on this machine instead: ${fellBack.join(', ')}.`);
  }

  const timeZone = resolveTimeZone([callConfig.timeZone, agent.timezone], warn);
  const fill = filling(start, timeZone, now, warn);
  const language = agent.primaryLanguage || voice.language || 'en';
  if (!/^en\b/i.test(language)) {
    warn(
      'language_not_spoken',
      `The speech of this machine is English, and the agent's language is ${language}.`,
    );
  }
  const isLocalised = agent.localisedPrompt !== '' && !/^en\b/i.test(language);
  const languages = agent.multiLingual
    ? `Answer in the person's language, if it is one of: ${[language, ...agent.secondaryLanguages].join(', ')}.`
    : '';
  const prompt = [isLocalised ? agent.localisedPrompt : agent.prompt, start.style, languages].filter(
    (part) => part !== '',
  );

  const speed = clamped('voiceConfig.speed', voice.speed, 0.5, 2, 1, warn);
  if (voice.pitch !== 0 && voice.pitch !== 1)
    warn('field_ignored', 'voiceConfig.pitch: no voice here has a pitch.');
  const patienceMs = PATIENCE_MS.get(voice.patienceLevel) ?? PATIENCE_MS.get(2) ?? 300;
  const utteranceMs = stt.utterance_end_ms > 0 ? stt.utterance_end_ms : SECOND;
  const seconds = (field: string, value: number, min: number, max: number, otherwise: number) =>
    clamped(field, value, min, max, otherwise, warn) * SECOND;

  const punctuationMs = seconds('sttConfig.on_punctuation_second', stt.on_punctuation_second, 0, 3, 0.1);
  const words = Math.round(clamped('voiceConfig.numberOfWords', voice.numberOfWords, 0, 10, 0, warn));
  const [isLimited, limitSeconds] = callConfig.limitCallDuration;
  const maximumSeconds = smallestPositive(
    [timeoutConfig.maximumDuration, callConfig.maxDuration, isLimited ? limitSeconds : 0],
    600,
  );
  const silenceMs = seconds(
    'timeoutConfig.silenceTimeout',
    positive(timeoutConfig.silenceTimeout, 30),
    5,
    3_600,
    30,
  );
  const [isReminded, reminderSeconds] = callConfig.idleReminders;
  const reminderMs = seconds('callConfig.idleReminders', positive(reminderSeconds, 10), 3, 1_000, 10);
  const declared = agent.dynamic_variables.filter((name) => !(name in start.dynamic_variables));

  const plan: Plan = {
    spoken: agent.type !== 'chat',
    greeting: fill(start.greeting),
    prompt: fill(prompt.join('\n\n')),
    missingVariables: [...new Set(declared)],
    language: model,
    voice: { provider: 'local', voice: localVoice(voice.voiceId), speed },
    turns: {
      endOfTurnMs: Math.min(patienceMs, utteranceMs),
      endOfSentenceMs: Math.min(Math.max(patienceMs, punctuationMs), utteranceMs),
      waitMs: seconds('sttConfig.waitseconds', stt.waitseconds, 0, 5, 0.4),
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
    ...(isReminded && reminderMs < silenceMs ? { reminder: { afterMs: reminderMs, times: REMINDERS } } : {}),
    fillers: agent.fillerWords ? FILLERS : [],
    recording: callConfig.recordingEnabled && agent.type !== 'chat',
    transcript: callConfig.transcriptionEnabled,
  };
  return { plan, warnings };
}

type Warn = (code: string, text: string) => void;

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
    maxTokens: positive(llmConfig.maxTokens, positive(aiModel.maxTokens, 250)),
  };
}

/** A voice that is not known here gets one of the local voices, always the same. */
export function localVoice(voiceId: string): string {
  const known = FLITE_VOICES.find((voice) => voice === voiceId);
  if (known) return known;
  let hash = 0;
  for (const char of voiceId) hash = (Math.imul(hash, 31) + (char.codePointAt(0) ?? 0)) >>> 0;
  return FLITE_VOICES[hash % FLITE_VOICES.length] ?? FLITE_VOICES[0];
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

/** The server fills in the variables of the call. Here, the time is filled in, and what is left becomes empty. */
function filling(start: CallStart, timeZone: string, now: Date, warn: Warn): (text: string) => string {
  const times: Record<string, string> = {
    now: new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full', timeStyle: 'short' }).format(now),
    today: new Intl.DateTimeFormat('en-US', { timeZone, dateStyle: 'full' }).format(now),
  };
  const warned = new Set<string>();
  return (text) =>
    text.replaceAll(/\{\{\s*([\w.-]+)\s*\}\}/g, (_, name: string) => {
      const value = start.dynamic_variables[name] ?? times[name];
      if (value !== undefined) return value;
      if (!warned.has(name)) warn('variable_without_value', `The variable ${name} has no value.`);
      warned.add(name);
      return '';
    });
}

function clamped(
  field: string,
  value: number,
  min: number,
  max: number,
  otherwise: number,
  warn: Warn,
): number {
  if (!Number.isFinite(value)) return otherwise;
  const result = Math.min(max, Math.max(min, value));
  if (result !== value) warn('value_out_of_range', `${field} is ${value}; ${result} is used.`);
  return result;
}

const positive = (value: number, otherwise: number) => (value > 0 ? value : otherwise);

function smallestPositive(values: number[], otherwise: number): number {
  const given = values.filter((value) => value > 0);
  return given.length > 0 ? Math.min(...given) : otherwise;
}
