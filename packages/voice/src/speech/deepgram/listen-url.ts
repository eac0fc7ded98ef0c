import { firstTerms } from '../first-terms';
import { RECOGNITION_RATE } from '../speech';

export interface ListenOptions {
  /** '': the newest model for calls. */
  model: string;
  /** As Deepgram writes it, or `multi`. '': Deepgram's default. */
  language: string;
  terms: readonly string[];
}

const MODEL = 'nova-3';
/** With more, Deepgram says nothing for half a minute and then closes the stream. */
const MAX_TOKENS = 500;
/** A token has at least about this many bytes. Letters that are not Latin have two or more. */
const TOKEN_BYTES = 3;

/** The first terms, as many as Deepgram takes. */
export const cutTerms = (terms: readonly string[]) =>
  firstTerms(terms, (term) => Math.ceil(Buffer.byteLength(term) / TOKEN_BYTES), MAX_TOKENS);

/** The address of a stream. Turns are decided by the conversation, so Deepgram ends no utterance by itself. */
export function createListenUrl(baseUrl: string, { model, language, terms }: ListenOptions): string {
  const url = new URL(`${baseUrl.replace(/^http/, 'ws').replace(/\/$/, '')}/v1/listen`);
  const chosen = model || MODEL;
  const query = {
    model: chosen,
    ...(language ? { language } : {}),
    encoding: 'linear16',
    sample_rate: String(RECOGNITION_RATE),
    channels: '1',
    interim_results: 'true',
    endpointing: 'false',
    punctuate: 'true',
    smart_format: 'true',
  };
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  // Older models know keywords only, with a weight.
  const isNew = chosen.startsWith('nova-3');
  for (const term of cutTerms(terms))
    url.searchParams.append(isNew ? 'keyterm' : 'keywords', isNew ? term : `${term}:1`);
  return url.href;
}
