import type { BrowserContext } from 'playwright-core';

/** Gives a context the session of a key, as the login does. */
export async function signInWith(context: BrowserContext, url: string, apiKey: string): Promise<void> {
  const headers = { 'X-API-Key': apiKey, 'X-Parley-Session': '1', Origin: url };
  const answer = await context.request.post(`${url}/api/session`, { headers, data: {} });
  if (answer.status() !== 201) throw new Error(`Beginning a session answered ${answer.status()}.`);
}
