import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';

/** The built-in fetch closes connections after 4 s, and each sentence would need a new one. */
const IDLE_MS = 60_000;
const agents = {
  http: new HttpAgent({ keepAlive: true, timeout: IDLE_MS }),
  https: new HttpsAgent({ keepAlive: true, timeout: IDLE_MS }),
};

/** Sends JSON. Resolves with the head of the response, whose body comes as it is made. */
export function postStream(
  url: string,
  headers: Record<string, string>,
  body: object,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const isSecure = url.startsWith('https:');
  const bytes = Buffer.from(JSON.stringify(body));
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)(url, {
      method: 'POST',
      agent: isSecure ? agents.https : agents.http,
      headers: { 'content-type': 'application/json', 'content-length': bytes.length, ...headers },
      signal,
    });
    request.once('response', resolve);
    request.on('error', reject);
    request.end(bytes);
  });
}
