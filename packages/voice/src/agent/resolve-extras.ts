import { type CallStart, shorten, type ToolOfCall } from '@parley/worker';
import { type Place, PLACES } from '../audio/ambience';
import type { Plan } from './plan';
import { clamped, type Warn } from './ranges';

type Agent = CallStart['agent'];

const BACK_CHANNEL = ['Uh-huh.', 'I see.', 'Okay.'];
const MAX_BACK_CHANNEL = 40;
const LEVELS = new Map([
  ['low', -38],
  ['medium', -30],
  ['high', -24],
]);
const MAX_TERMS = 100;

export function resolveBackChannel({ backChannelConfig: config }: Agent, warn: Warn): Plan['backChannel'] {
  const frequency = clamped('backChannelConfig.frequency', config.frequency, 0, 1, 0.8, warn);
  if (!config.isEnabled || frequency === 0) return undefined;
  const words = config.backchannelWords.map((word) => shorten(word.trim(), MAX_BACK_CHANNEL)).filter(Boolean);
  return { words: words.length > 0 ? words : BACK_CHANNEL, frequency };
}

export function resolveBackground({ callConfig }: Agent, warn: Warn): Plan['background'] {
  const place = toWord(callConfig.backGroundNoiseEnv);
  const level = toWord(callConfig.backGroundNoiseLevel);
  const isOff = (word: string) => ['off', 'none', 'silent'].includes(word);
  if (place === '' || isOff(place) || isOff(level)) return undefined;
  const known = PLACES.find((name) => name === place);
  if (!known) warn('value_unknown', `backGroundNoiseEnv is ${place}; office is used.`);
  if (level !== '' && !LEVELS.has(level))
    warn('value_unknown', `backGroundNoiseLevel is ${level}; medium is used.`);
  return { place: known ?? ('office' satisfies Place), level: LEVELS.get(level) ?? -30 };
}

/** Only a phone call that the agent places can reach a voicemail. */
export function resolveVoicemail(
  { call_type, direction, agent }: CallStart,
  fill: (text: string) => string,
): Plan['voicemail'] {
  const { voicemailConfig: message, callConfig } = agent;
  const { enabled, type } = callConfig.voicemailDetection;
  if (call_type !== 'phonecall' || direction !== 'outbound' || !(message.isEnabled || enabled))
    return undefined;
  const both = ['audio', 'transcript'] as const;
  const named = both.filter((way) => way === type);
  return {
    by: named.length > 0 ? named : [...both],
    message: message.isEnabled ? fill(message.message ?? '').trim() : '',
  };
}

/** Terms may have a weight, such as `parley:2`, which only other providers know. */
export function resolveVocabulary({ sttConfig, customVocabulary }: Agent, warn: Warn): string[] {
  const terms = [...sttConfig.keywords, ...sttConfig.keyterms, ...customVocabulary]
    .map((term) => term.replace(/:-?[\d.]+$/, '').trim())
    .filter((term) => term !== '');
  const unique = [...new Set(terms)];
  if (unique.length > MAX_TERMS)
    warn('value_out_of_range', `The vocabulary has ${unique.length} terms; the first ${MAX_TERMS} are used.`);
  return unique.slice(0, MAX_TERMS);
}

/** The tools that the server does, but those with the name of a number to which the agent may transfer. */
export function resolveTools({ agent: { actions }, tools = [] }: CallStart): ToolOfCall[] {
  const transfers = new Set(actions.map((action) => readTransfer(action)?.name));
  return tools.filter(({ name }) => !transfers.has(name));
}

/** The numbers with which the agent may connect a person: `sales tel:+15551234567`. */
export function resolveTransfers({ actions }: Agent): Plan['transfers'] {
  const found = actions.flatMap((action) => readTransfer(action) ?? []);
  return [...new Map(found.map((transfer) => [transfer.name, transfer])).values()].slice(0, MAX_TRANSFERS);
}

function readTransfer(action: string): Plan['transfers'][number] | undefined {
  const [, name = '', to = ''] = /^([\w-]{1,60})\s+tel:(\+[1-9]\d{6,14})$/.exec(action.trim()) ?? [];
  return name === '' || BUILT_IN.has(name) ? undefined : { name, to };
}

const MAX_TRANSFERS = 20;
/** The names of what a language model can do without the server. */
const BUILT_IN = new Set(['end_call', 'search_knowledge', 'note_variable', 'press_keys', 'opt_out']);

const toWord = (value: string | null) =>
  (value ?? '')
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-');
