import { type QueryClient, useQuery } from '@tanstack/react-query';
import { ApiFailure } from '../api/failure';
import { client } from '../api/client';

export const SESSION_KEY = ['session'];

const RETRY_MS = 10_000;

/** Between the tabs of a browser, which have one session. */
const ends = new BroadcastChannel('parley-session-end');

/** Who is signed in; null: nobody. */
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
    refetchInterval: ({ state }) => (state.status === 'error' ? RETRY_MS : false),
  });

/** Whether the session reaches the agents of its scopes only. */
export const useIsScoped = () => useSession().data?.scopes != null;

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

function forget(queries: QueryClient): void {
  queries.setQueryData(SESSION_KEY, null);
  queries.clear();
}

/** After its end: nothing that was read with it stays in any tab, and the login is shown. */
export function forgetSession(queries: QueryClient): void {
  forget(queries);
  ends.postMessage(null);
}

/** Forgets the session that another tab has ended. */
export function followSessionEnd(queries: QueryClient): void {
  ends.onmessage = () => forget(queries);
}
