import type { QueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';

interface Connection {
  /** Whether the latest request got no answer. */
  isAway: boolean;
  /** Whether the stream of changes is interrupted. */
  isCut: boolean;
  /** The time of the last answer before the server stopped answering. */
  since: number;
}

const PROBE_MS = 3_000;

/** A server that has stopped keeps connections open and never answers. */
const PROBE_TIMEOUT_MS = 5_000;

let current: Connection = { isAway: false, isCut: false, since: 0 };
let answeredAt = Date.now();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Stores the state of the connection that a request or the stream has shown. */
export function noteConnection(noted: Partial<Pick<Connection, 'isAway' | 'isCut'>>): void {
  const { isAway, isCut } = { ...current, ...noted };
  if (noted.isAway === false) answeredAt = Date.now();
  if (isAway === current.isAway && isCut === current.isCut) return;
  current = { isAway, isCut, since: answeredAt };
  listeners.forEach((listener) => listener());
}

/** The state of the connection between the page and its server. */
export const useConnection = (): Connection => useSyncExternalStore(subscribe, () => current);

/** A proxy answers with these statuses if it cannot reach the server. */
export const isGateway = (status: number) => status >= 502 && status <= 504;

/** Whether the server answers now. */
export async function isServerThere(): Promise<boolean> {
  const isThere = await fetch('/icon.svg', {
    method: 'HEAD',
    cache: 'no-store',
    signal: AbortSignal.timeout(PROBE_TIMEOUT_MS),
  }).then(
    ({ status }) => !isGateway(status),
    () => false,
  );
  noteConnection({ isAway: !isThere });
  return isThere;
}

/** Polls a server that does not answer. After it has answered, the failed queries and the session are read again. */
export function followConnection(queries: QueryClient, sessionKey: string[]): void {
  let probe: number | undefined;
  subscribe(() => {
    if (current.isAway) {
      probe ??= window.setInterval(() => void isServerThere(), PROBE_MS);
      return;
    }
    if (probe === undefined) return;
    window.clearInterval(probe);
    probe = undefined;
    void queries.refetchQueries({ queryKey: sessionKey, type: 'active' });
    void queries.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
  });
}
