import { hasLanguage } from './languages';

const MODELS = ['nova-3', 'nova-3-general', 'nova-3-medical', 'nova-2', 'nova-2-phonecall'];
/** The encodings of raw audio that are decoded here, and the bytes of a sample. */
export const SAMPLE_BYTES = new Map([
  ['linear16', 2],
  ['mulaw', 1],
]);

const ANY = /./;
const SWITCH = /^(true|false)$/;
/** The parameters of /v1/listen that a runtime may need, and their values, from Deepgram's AsyncAPI document. */
const PARAMETERS: Record<string, RegExp> = {
  ...{ model: ANY, language: ANY, keyterm: ANY, tag: ANY, extra: ANY },
  encoding: /^(linear16|mulaw)$/,
  ...{ sample_rate: /^\d{4,6}$/, channels: /^[1-9]\d?$/ },
  ...{ interim_results: SWITCH, vad_events: SWITCH, punctuate: SWITCH, smart_format: SWITCH },
  ...{ numerals: SWITCH, profanity_filter: SWITCH, filler_words: SWITCH, mip_opt_out: SWITCH },
  endpointing: /^(false|\d+)$/,
  // A stream with less is refused: deepgram-python-sdk issue 279.
  utterance_end_ms: /^[1-9]\d{3,}$/,
  keywords: /^[^:]+(:-?\d+(\.\d+)?)?$/,
};

/** The parameters that are in no document. Deepgram is known to ignore some of them. */
export const findUnknown = (query: URLSearchParams) => [...query.keys()].filter((name) => !PARAMETERS[name]);

/** @returns the sentence with which Deepgram refuses a request, with status 400 */
export function findWrong(query: URLSearchParams): string | undefined {
  const wrong = [...query].find(([name, value]) => PARAMETERS[name]?.test(value) === false);
  if (wrong) return `Invalid '${wrong[0]}' value of '${wrong[1]}'.`;
  const model = query.get('model') ?? 'base';
  if (!MODELS.includes(model) || !hasLanguage(model, query.get('language') ?? 'en'))
    return 'No such model/language/tier combination found.';
  if (!query.has('encoding') || !query.has('sample_rate'))
    return 'encoding and sample_rate are required for raw audio';
  if (query.has('utterance_end_ms') && query.get('interim_results') !== 'true')
    return 'utterance_end_ms needs interim_results';
  const isNova3 = model.startsWith('nova-3');
  if (query.has('keyterm') && !isNova3) return 'keyterm is for nova-3';
  return query.has('keywords') && isNova3 ? 'keywords are not for nova-3' : undefined;
}
