import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure';
import { client, type Schemas } from '../api/client';
import { isLimitedToAgents } from './scopes';

export const SESSION_KEY = ['session'];

const RETRY_MS = 10_000;
const SCOPED_MS = 5_000;

/** The channel between the tabs of a browser, which share the session. */
const ends = new BroadcastChannel('parley-session-end');

/** The current session; null: no user is signed in. */
export const useSession = () =>
  useQuery({
    queryKey: SESSION_KEY,
    queryFn: async () => {
      try {
        const { data } = await client.GET('/api/session');
        return data?.data ?? null;
      } catch (error) {
        if (error instanceof ApiFailure && error.isSignedOut) return null;
        throw error;
      }
    },
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      if (state.status === 'error') return RETRY_MS;
      // The end of the stream ends the session in the other tabs; a scoped credential has no stream.
      return isLimitedToAgents(state.data?.scopes) ? SCOPED_MS : false;
    },
  });

/** Whether the session reaches the agents of its scopes only. */
export const useIsScoped = () => isLimitedToAgents(useSession().data?.scopes);

/** The meta of requests that begin a session. Their refusal does not end the current session. */
export const SIGNS_IN = { signsIn: true };

type SessionPreview = Schemas['SessionPreviewDto'] & { replaces: Schemas['SessionWorkspaceDto'] | null };

/** Reads the user whom a one-time token would sign in, and the session that would end. The token stays valid. */
export async function previewLink(token: string): Promise<SessionPreview> {
  const { data } = await client.POST('/api/session/preview', { body: { token } });
  if (!data) throw new Error('A preview has data.');
  return data.data as SessionPreview;
}

/** The name of the identity provider on the login page; null: there is none. */
export const useProviderName = () =>
  useQuery({
    queryKey: ['identity provider'],
    queryFn: async () => {
      const { data } = await client.GET('/oidc');
      return data?.data.name ?? null;
    },
    staleTime: 60_000,
    meta: SIGNS_IN,
  }).data;

/** Exchanges a one-time token for the cookie of a session. */
export async function signInByLink(token: string): Promise<void> {
  await client.POST('/api/session', { body: { token } });
}

/** An API key has the prefix of Parley; anything else is a bearer token. */
export async function signIn(credential: string): Promise<void> {
  const headers: Record<string, string> = credential.startsWith('parley_')
    ? { 'X-API-Key': credential }
    : { Authorization: `Bearer ${credential}` };
  await client.POST('/api/session', { headers, body: {} });
}

export async function signOut(): Promise<void> {
  await client.DELETE('/api/session');
}

/** Removes all data of the session from this tab. */
export function clearData(queries: QueryClient): void {
  queries.setQueryData(SESSION_KEY, null);
  queries.clear();
}

/** Removes all data of an ended session from every tab, and shows the login. */
export function clearSession(queries: QueryClient): void {
  clearData(queries);
  ends.postMessage(null);
}

/** Removes the data of a session that another tab has ended. */
export function followSessionEnd(queries: QueryClient): void {
  ends.onmessage = () => clearData(queries);
}
