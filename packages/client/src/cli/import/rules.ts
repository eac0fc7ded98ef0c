import type { Rule } from './agent-import';
import { isSecret } from './secrets';
import { NOT_SET, type Part } from './source';

type Convert = (value: unknown) => unknown;

const same: Convert = (value) => value;

/** A part that says nothing is left to the report. */
const given =
  (rule: Rule): Rule =>
  (part, agent) => {
    if (part.value !== undefined && part.value !== null) rule(part, agent);
  };

/** The value of a field. */
export const into = (field: string, convert: Convert = same): Rule =>
  given((part, agent) => agent.put(part, { [field]: convert(part.value) }));

/** A text with variables. */
export const intoText = (field: string): Rule =>
  given((part, agent) => {
    if (typeof part.value === 'string') agent.putText([part], field, part.value);
    else agent.put(part, { [field]: part.value });
  });

/** The message to a voicemail. Without one, the agent hangs up. */
export const intoVoicemail: Rule = given((part, agent) => {
  if (part.text === '') part.understood(NOT_SET);
  else agent.putText([part], 'voicemailConfig.message', part.text, { 'voicemailConfig.isEnabled': true });
});

/** A value that has a word for each of some meanings. The others are refused. */
export const byWord = (field: string, words: Record<string, unknown>): Rule =>
  given((part, agent) => {
    if (Object.hasOwn(words, part.text)) agent.put(part, { [field]: words[part.text] });
    else part.refused(`only ${Object.keys(words).join(', ')} can be taken over`);
  });

/** A word that has another one in Parley, or is the same there. */
export const translated = (field: string, words: Record<string, string>): Rule =>
  into(field, (word) => (typeof word === 'string' && Object.hasOwn(words, word) ? words[word] : word));

/** A value that Parley has, and sets by itself. */
export const own = (field: string): Rule => given((part) => part.understood(`${field}, which Parley sets`));

/** A value that changes nothing here. */
export const settled = (to: string): Rule => given((part) => part.understood(to));

/** A word for how it is here, too. Another word is refused. */
export const only = (word: string, to: string, why: string): Rule =>
  given((part) => (part.value === word ? part.understood(to) : part.refused(why)));

export const refused = (why: string): Rule => given((part) => part.refused(why));

/** A list that is empty does nothing. */
export const onlyEmpty = (why: string): Rule =>
  given((part) =>
    Array.isArray(part.value) && part.value.length === 0
      ? part.understood('nothing: it is empty')
      : part.refused(why),
  );

/** A switch that is off, or a number of nothing, does nothing. What it would do otherwise is refused. */
export const onlyOff = (why = 'Parley has no such setting'): Rule =>
  given((part) =>
    [false, 0, ''].includes(part.value as string) ? part.understood(NOT_SET) : part.refused(why),
  );

/** The longest call, in seconds. The smallest of these three fields counts. */
export const intoMaximumDuration = (convert: Convert = same): Rule =>
  given((part, agent) => agent.put(part, maximumDuration(convert(part.value))));

export const maximumDuration = (seconds: unknown): Record<string, unknown> => ({
  'timeoutConfig.maximumDuration': seconds,
  'callConfig.maxDuration': typeof seconds === 'number' ? Math.ceil(seconds) : seconds,
  'callConfig.limitCallDuration': [true, typeof seconds === 'number' ? seconds : 0],
});

/** Runtimes end a silent call after an hour at the latest. */
const LONGEST_SILENCE = 3_600;

/** The silence that ends a call, in seconds. 0 and less: none does. */
export const intoSilence = (convert: Convert = same): Rule =>
  given((part, agent) => {
    const seconds = convert(part.value);
    const isEndless = typeof seconds === 'number' && seconds <= 0;
    const note = isEndless ? ' (an hour, the longest)' : '';
    agent.put(part, { 'timeoutConfig.silenceTimeout': isEndless ? LONGEST_SILENCE : seconds }, note);
  });

/** The silence after which the agent speaks, in seconds. 0 and less: it does not. */
export const intoReminder = (convert: Convert = same): Rule =>
  given((part, agent) => {
    const seconds = convert(part.value);
    if (typeof seconds !== 'number') part.refused('it must be a number');
    else agent.put(part, { 'callConfig.idleReminders': seconds > 0 ? [true, seconds] : [false, 10] });
  });

export const fromMilliseconds: Convert = (value) => (typeof value === 'number' ? value / 1_000 : value);

/** A zone of the IANA database. Node.js also knows names that the server refuses. */
const ZONE = /^(?:UTC|(?!SystemV\/|Canada\/East-S|US\/Pacific-N)[A-Za-z_]+\/[\w+/-]+)$/;

export const intoTimeZone: Rule = given((part, agent) => {
  if (isTimeZone(part.text)) agent.put(part, { timezone: part.text, 'callConfig.timeZone': part.text });
  else part.refused('it must be the IANA name of a time zone, such as Europe/Berlin');
});

function isTimeZone(zone: string): boolean {
  if (!ZONE.test(zone)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** `multi` is no language: the agent answers in that of the person. */
export const intoLanguage: Rule = given((part, agent) => {
  const [first, ...others] = [part.value].flat();
  if (first === 'multi') return agent.put(part, { multiLingual: true });
  agent.put(part, {
    primaryLanguage: first,
    'voiceConfig.language': first,
    ...(others.length > 0 && { secondaryLanguages: others, multiLingual: true }),
  });
});

/** The provider of a model, by the beginning of its name. */
export function providerOf(model: string): string | undefined {
  const providers: [RegExp, string][] = [
    [/^gpt-realtime/, 'openai-realtime'],
    [/^(?:gpt-(?!oss)|chatgpt|o\d)/, 'openai'],
    [/^claude/, 'anthropic'],
    [/^gemini/, 'google'],
    [/^grok/, 'xai'],
  ];
  return providers.find(([names]) => names.test(model))?.[1];
}

/** A model without its provider. */
export const intoModel = (otherwise: string): Rule =>
  given((part, agent) => {
    const provider = providerOf(part.text) ?? otherwise;
    agent.put(part, { 'llmConfig.model': part.value, 'llmConfig.provider': provider });
  });

const MAX_METADATA_BYTES = 16 * 1_024;

/** An object that the runtime gets unchanged. */
export const intoMetadata: Rule = given((part, agent) => {
  if (hasSecret(part)) part.refused('there may be a secret in it');
  else if (Buffer.byteLength(JSON.stringify(part.value)) > MAX_METADATA_BYTES)
    part.refused('it is larger than 16 KB');
  else agent.put(part, { metaData: part.value });
});

const hasSecret = (part: Part): boolean =>
  part.entries.some(([name, each]) => isSecret(name, each.value) || hasSecret(each));

export const intoName: Rule = given((part, agent) => {
  const isVisible = /[^\s\p{Default_Ignorable_Code_Point}\p{Cf}\u2800]/u.test(part.text);
  if (typeof part.value === 'string' && !isVisible) part.refused('it must not be blank');
  else agent.put(part, { name: typeof part.value === 'string' ? part.value.trim() : part.value });
});
