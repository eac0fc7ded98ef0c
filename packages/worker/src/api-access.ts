import type { ApiOfCall } from './messages';

/** The options `apiUrl` and `apiKey` of the worker. */
export interface ApiOptions {
  url: string | undefined;
  key: string | undefined;
}

/**
 * The address of the REST API and a credential for it, from the options, else from the server's answer to the
 * claim.
 * @param what uses it
 * @throws Error if there is none, as with a server of an earlier release
 */
export function createAccess(options: ApiOptions, api: ApiOfCall | undefined, what: string) {
  const url = options.url ?? api?.url.replace(/\/+$/, '');
  const headers: Record<string, string> | undefined =
    options.key !== undefined
      ? { 'x-api-key': options.key }
      : api && { authorization: `Bearer ${api.token}` };
  if (url === undefined || headers === undefined) {
    throw new Error(`${what} needs the options apiUrl and apiKey of the worker.`);
  }
  return { url, headers };
}

interface Answer<Data> {
  data?: Data;
  message?: string;
  errors?: { message: string }[];
}

/** The server has refused a request. */
export class RequestRefused extends Error {}

/**
 * The data of an answer.
 * @param failure the beginning of the sentence about a refusal, such as `The search failed`
 * @throws RequestRefused with the server's reason, or another Error if the answer cannot be read
 */
export async function readData<Data>(response: Response, failure: string): Promise<Data> {
  const { data, message, errors } = (await response.json().catch(() => ({}))) as Answer<Data>;
  if (response.ok && data) return data;
  const why = errors?.[0]?.message ?? message ?? response.statusText;
  const sentence = `${failure} with status ${response.status}: ${why}`;
  throw response.ok ? new Error(sentence) : new RequestRefused(sentence);
}
