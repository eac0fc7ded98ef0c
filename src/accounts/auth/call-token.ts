import { createHmac, timingSafeEqual } from 'node:crypto';

/** No JSON Web Token begins with this prefix. */
const PREFIX = 'parley_call_';

const FORMAT = /^parley_call_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})_([\w-]{43})$/;

/**
 * Derives the proof from the token of the claim by a one-way function: reports are checked by that token, so HTTP
 * must not carry it.
 */
const createProof = (conversationId: string, token: string): string =>
  createHmac('sha256', token).update(`call of the API ${conversationId}`).digest('base64url');

/**
 * The bearer token with which a runtime uses the API for its call.
 * @param token of the claim
 */
export const createCallToken = (conversationId: string, token: string): string =>
  `${PREFIX}${conversationId}_${createProof(conversationId, token)}`;

export interface ReadCallToken {
  conversationId: string;
  /** Whether `token` is the token of the call's claim. */
  matches: (token: string) => boolean;
}

/** @returns undefined if the text is not the token of a call */
export function readCallToken(bearer: string): ReadCallToken | undefined {
  const [, conversationId = '', proof = ''] = FORMAT.exec(bearer) ?? [];
  if (conversationId === '') return undefined;
  const given = Buffer.from(proof);
  return {
    conversationId,
    matches: (token) => timingSafeEqual(given, Buffer.from(createProof(conversationId, token))),
  };
}

export const isCallToken = (bearer: string): boolean => bearer.startsWith(PREFIX);
