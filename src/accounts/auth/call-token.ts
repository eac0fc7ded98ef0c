import { createHmac, timingSafeEqual } from 'node:crypto';

/** No JSON Web Token begins so. */
const PREFIX = 'parley_call_';

const FORMAT = /^parley_call_([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})_([\w-]{43})$/;

/** Follows from the token of the claim, and does not tell it, so that HTTP never carries what reports are checked by. */
const proofOf = (conversationId: string, token: string): string =>
  createHmac('sha256', token).update(`call of the API ${conversationId}`).digest('base64url');

/**
 * The bearer token with which a runtime uses the API for its call.
 * @param token of the claim
 */
export const callTokenOf = (conversationId: string, token: string): string =>
  `${PREFIX}${conversationId}_${proofOf(conversationId, token)}`;

export interface ReadCallToken {
  conversationId: string;
  /** Whether the call has this token of its claim. */
  isOf: (token: string) => boolean;
}

/** undefined: it is the token of no call. */
export function readCallToken(bearer: string): ReadCallToken | undefined {
  const [, conversationId = '', proof = ''] = FORMAT.exec(bearer) ?? [];
  if (conversationId === '') return undefined;
  const given = Buffer.from(proof);
  return {
    conversationId,
    isOf: (token) => timingSafeEqual(given, Buffer.from(proofOf(conversationId, token))),
  };
}

export const isCallToken = (bearer: string): boolean => bearer.startsWith(PREFIX);
