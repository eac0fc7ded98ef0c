import type { CallSpeech } from '../carrier';

/** Documents for Twilio. */

/** Connects the call with a media stream. The second one is reached if the connection of the first one is cut. */
export function connectStream(url: string, parameters: Record<string, string>): string {
  const inner = writeParameters(parameters);
  const stream = `<Connect><Stream url="${escaped(url)}">${inner}</Stream></Connect>`;
  return `<Response>${stream}${stream}</Response>`;
}

/** Connects the call with ConversationRelay, which recognises and speaks. The second one is reached as with a stream. */
export function connectRelay(url: string, parameters: Record<string, string>, speech: CallSpeech): string {
  const attributes = {
    url,
    language: speech.language,
    ...(speech.voice ? { ttsProvider: 'ElevenLabs', voice: speech.voice } : {}),
    ...(speech.terms.length > 0 ? { hints: speech.terms.join(',') } : {}),
    ...{ interruptible: 'any', dtmfDetection: 'true', events: 'tokens-played' },
  };
  const written = Object.entries(attributes).map(([name, value]) => `${name}="${escaped(value)}"`);
  const relay = `<ConversationRelay ${written.join(' ')}>${writeParameters(parameters)}</ConversationRelay>`;
  return `<Response><Connect>${relay}</Connect><Connect>${relay}</Connect></Response>`;
}

const writeParameters = (parameters: Record<string, string>) =>
  Object.entries(parameters)
    .map(([name, value]) => `<Parameter name="${escaped(name)}" value="${escaped(value)}"/>`)
    .join('');

export const dial = (number: string) => `<Response><Dial>${escaped(number)}</Dial></Response>`;

/** @param reason of the server, in its words */
export const reject = (reason: string) =>
  `<Response><Reject reason="${BUSY.has(reason) ? 'busy' : 'rejected'}"/></Response>`;
/** The caller may try again later. */
const BUSY = new Set(['too_many_calls', 'no_answer', 'stopping']);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
