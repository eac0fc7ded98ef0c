import { firstTerms } from '../../speech/first-terms';
import { readLocale } from '../../speech/languages';
import type { CallSpeech, CarrierSpeech } from '../../speech/carrier-speech';
import { isBusy } from '../phone/waiting-calls';

/** Documents for Twilio, which takes up to 4,000 characters. */

/** The documents of a relay have the terms twice, beside addresses, a voice and keys. */
const MAX_HINT_CHARACTERS = 1_000;

/** The first terms, as many as a document for ConversationRelay has space for. */
export const cutHints = (terms: readonly string[], speech: SpokenBy) =>
  firstTerms(
    terms,
    (term) => escaped(term).length + 1,
    MAX_HINT_CHARACTERS - writeLanguages(speech).length - writeAttributes(listMultilingual(speech)).length,
  );

type SpokenBy = Parameters<CarrierSpeech['cutTerms']>[1];

/** Twilio's word for whichever language is spoken, or written. It needs these two providers. */
const MULTI = 'multi';

const listMultilingual = ({ isMultilingual }: SpokenBy): Record<string, string> =>
  isMultilingual ? { ttsLanguage: MULTI, transcriptionLanguage: MULTI } : {};

/** The providers and the voice of whichever language is spoken. */
function writeLanguages({ voice, isMultilingual }: SpokenBy): string {
  if (!isMultilingual) return '';
  const attributes = {
    code: MULTI,
    ttsProvider: 'ElevenLabs',
    ...(voice ? { voice } : {}),
    ...{ transcriptionProvider: 'Deepgram', speechModel: 'nova-3-general' },
  };
  return `<Language ${writeAttributes(attributes)}/>`;
}

/** Twilio's languages have a region: `en` is `en-US` there, and `en-GB` stays. */
export function toLanguageTag(language: string): string {
  const { language: code, region } = readLocale(language)?.maximize() ?? {};
  return region ? `${code}-${region}` : language;
}

/** The addresses of this runtime in a document. */
interface Addresses {
  stream: string;
  /** Twilio asks here for the next document if no stream can be opened. */
  lost: string;
}

/** Makes the parameters of one connection, by which the runtime knows it. */
type MakeParameters = () => Record<string, string>;

/** Connects the call with a media stream. The second one is reached if the connection of the first one is cut. */
export function connectStream(addresses: Addresses, parameters: MakeParameters): string {
  const url = escaped(addresses.stream);
  return twice(() => `<Stream url="${url}">${writeParameters(parameters())}</Stream>`, addresses);
}

/** Connects the call with ConversationRelay, which recognises and speaks. The second one is reached as with a stream. */
export function connectRelay(addresses: Addresses, parameters: MakeParameters, speech: CallSpeech): string {
  const hints = cutHints(speech.terms, speech);
  const attributes = {
    url: addresses.stream,
    language: toLanguageTag(speech.language),
    ...listMultilingual(speech),
    ...(speech.voice ? { ttsProvider: 'ElevenLabs', voice: speech.voice } : {}),
    ...(hints.length > 0 ? { hints: hints.join(',') } : {}),
    ...{ interruptible: 'any', dtmfDetection: 'true', events: 'tokens-played' },
  };
  const [start, languages] = [`<ConversationRelay ${writeAttributes(attributes)}>`, writeLanguages(speech)];
  const noun = () => `${start}${languages}${writeParameters(parameters())}</ConversationRelay>`;
  return twice(noun, addresses);
}

const writeAttributes = (attributes: Record<string, string>) =>
  Object.entries(attributes)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(' ');

function twice(noun: () => string, { lost }: Addresses): string {
  const connect = () => `<Connect>${noun()}</Connect>`;
  return `<Response>${connect()}${connect()}<Redirect>${escaped(lost)}</Redirect></Response>`;
}

const writeParameters = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `<Parameter name="${escaped(name)}" value="${escaped(value)}"/>`)
    .join('');

/**
 * Connects the person with a number.
 * @param callbackUrl gets the states of the other call
 * @param limits the seconds for which the other phone rings, and for which both are connected
 */
export function dial(
  number: string,
  callbackUrl: string,
  { timeout, timeLimit }: { timeout: number; timeLimit: number },
): string {
  const attributes = `statusCallback="${escaped(callbackUrl)}" statusCallbackEvent="answered completed"`;
  const called = `<Number ${attributes}>${escaped(number)}</Number>`;
  return `<Response><Dial timeout="${timeout}" timeLimit="${timeLimit}">${called}</Dial></Response>`;
}

/** Ends the call. */
export const HANG_UP = '<Response><Hangup/></Response>';

/** @param reason of the server, in its words */
export const reject = (reason: string) =>
  `<Response><Reject reason="${isBusy(reason) ? 'busy' : 'rejected'}"/></Response>`;

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
