import createClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { components, paths } from './schema';
import { noteConnection } from './connection';
import { ApiFailure } from './failure';

/** The classes of the API document. */
export type Schemas = components['schemas'];

/** Throws an {@link ApiFailure} for each refusal. Unsafe methods need the header, which no other origin can send. */
const session: Middleware = {
  onRequest({ request }) {
    request.headers.set('X-Parley-Session', '1');
    return request;
  },
  async onResponse({ response, request }) {
    if (!response.ok) throw await ApiFailure.fromResponse(response, request);
    noteConnection({ isAway: false });
  },
  onError({ error, request }) {
    if (error instanceof ApiFailure) return error;
    // The page itself has aborted the request.
    if (error instanceof Error && error.name === 'AbortError') return error;
    return ApiFailure.fromNetworkError(error, request);
  },
};

/** The public REST API, with the cookie of the session. */
export const client = createClient<paths>({ baseUrl: '/' });
client.use(session);

/** The client as hooks of TanStack Query. */
export const api = createQueryClient(client);
