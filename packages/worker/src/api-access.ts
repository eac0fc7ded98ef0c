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
