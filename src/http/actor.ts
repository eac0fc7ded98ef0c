import type { Caller } from './access';

export const ACTOR_KINDS = ['key', 'token', 'session', 'operator', 'runtime'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** Who changes something. */
export interface Actor {
  kind: ActorKind;
  /** Of the API key or the session; for a token, its user. */
  id: string;
  name: string;
}

export function actorOf({ userId, credential }: Caller): Actor {
  const { sessionId, name } = credential;
  if (sessionId !== undefined) return { kind: 'session', id: sessionId, name };
  if (credential.kind === 'token') return { kind: 'token', id: userId, name };
  if (credential.keyId === undefined) throw new Error('An API key has an id.');
  return { kind: 'key', id: credential.keyId, name };
}
