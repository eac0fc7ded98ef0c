import createClient, { type Middleware } from 'openapi-fetch';
import createQueryClient from 'openapi-react-query';
import type { components, paths } from './schema';
import { ApiFailure } from './failure';

/** The classes of the API document. */
export type Schemas = components['schemas'];

/** Turns every refusal into an {@link ApiFailure}. Unsafe methods need the header, which no other origin can send. */
const session: Middleware = {
  onRequest({ request }) {
    request.headers.set('X-Parley-Session', '1');
    return request;
  },
  async onResponse({ response }) {
    if (!response.ok) throw await ApiFailure.of(response);
  },
  onError({ error }) {
    return error instanceof ApiFailure ? error : ApiFailure.ofNetwork(error);
  },
};

/** The public REST API, with the cookie of the session. */
export const client = createClient<paths>({ baseUrl: '/' });
client.use(session);

/** The same as hooks of TanStack Query. */
export const api = createQueryClient(client);
