import createClient from 'openapi-fetch';
import { ParleyError } from './errors';
import type { paths } from './generated/schema';
import { type CheckedOptions, credentialHeaders } from './options';
import { writeQuery } from './write-query';

export type ApiClient = ReturnType<typeof createClient<paths>>;
export type Middleware = Parameters<ApiClient['use']>[number];

/** Refuses an answer that is not of the API, such as a page of a proxy. */
const onlyAnswersOfTheApi: Middleware = {
  onResponse({ response, options }) {
    const { status, headers } = response;
    if (status >= 300 && status < 400) {
      // A redirect is not followed: the API key would go to the other address.
      const message = `The server redirects to ${headers.get('location') ?? 'another address'}: use it as baseUrl`;
      throw new ParleyError({ status, code: 'INVALID_RESPONSE', message });
    }
    const isJson = headers.get('content-type')?.includes('json') ?? false;
    // A download has a name; a page of a proxy has none.
    const isExpected = options.parseAs === 'json' ? isJson : headers.has('content-disposition');
    if (response.ok && !isExpected) {
      const message = `The answer of ${response.url} is not what was requested: is baseUrl the address of a Parley server?`;
      throw new ParleyError({ status, code: 'INVALID_RESPONSE', message });
    }
  },
};

/** The requests of the API document, each once. */
export function createTransport({ baseUrl, apiKey, fetch }: CheckedOptions): ApiClient {
  const headers = credentialHeaders(apiKey);
  const client = createClient<paths>({
    ...{ baseUrl, headers, redirect: 'manual', querySerializer: writeQuery },
    ...(fetch && { fetch }),
  });
  client.use(onlyAnswersOfTheApi);
  return client;
}
