import type { Caller } from './access';

export const ACTOR_KINDS = ['key', 'token', 'session', 'person', 'operator', 'runtime'] as const;
export type ActorKind = (typeof ACTOR_KINDS)[number];

/** The sender of a change. */
export interface Actor {
  kind: ActorKind;
  /** The id of the API key, the session or the person; for a token, its user. */
  id: string;
  name: string;
}

export const MAX_ACTOR_LENGTH = 255;

/** The user of an identity provider may have an id of any length, which no index could hold. */
export const actorText = (text: string) => [...text].slice(0, MAX_ACTOR_LENGTH).join('');

export function toActor({ userId, credential }: Caller): Actor {
  const { sessionId, personId } = credential;
  const name = actorText(credential.name);
  if (personId !== undefined) return { kind: 'person', id: personId, name };
  if (sessionId !== undefined) return { kind: 'session', id: sessionId, name };
  if (credential.kind === 'token') return { kind: 'token', id: actorText(userId), name };
  if (credential.keyId === undefined) throw new Error('An API key has an id.');
  return { kind: 'key', id: credential.keyId, name };
}
