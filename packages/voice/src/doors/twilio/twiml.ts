/** Documents for Twilio. */

/** Connects the call with a media stream. The second one is reached if the connection of the first one is cut. */
export function connectStream(url: string, parameters: Record<string, string>): string {
  const inner = Object.entries(parameters).map(
    ([name, value]) => `<Parameter name="${escaped(name)}" value="${escaped(value)}"/>`,
  );
  const stream = `<Connect><Stream url="${escaped(url)}">${inner.join('')}</Stream></Connect>`;
  return `<Response>${stream}${stream}</Response>`;
}

export const dial = (number: string) => `<Response><Dial>${escaped(number)}</Dial></Response>`;

/** @param reason of the server, in its words */
export const reject = (reason: string) =>
  `<Response><Reject reason="${BUSY.has(reason) ? 'busy' : 'rejected'}"/></Response>`;
/** The caller may try again later. */
const BUSY = new Set(['too_many_calls', 'no_answer', 'stopping']);

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
