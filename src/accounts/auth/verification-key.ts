import type { Algorithm } from 'jsonwebtoken';
import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { isStrongKey } from '../../config';

/** A public key that checks the signatures of tokens. */
export interface VerificationKey {
  kid: string | undefined;
  algorithm: Algorithm;
  key: KeyObject;
}

/** A key that should check signatures, but is refused. */
export interface RefusedKey {
  kid: unknown;
  reason: string;
}

const ALGORITHMS: Record<string, Algorithm> = { RSA: 'RS256', EC: 'ES256' };

export const isRefused = (key: VerificationKey | RefusedKey): key is RefusedKey => 'reason' in key;

/** @param jwk a JSON Web Key (RFC 7517) or any other value. @returns undefined for a key with another purpose */
export function parseJwk(jwk: unknown): VerificationKey | RefusedKey | undefined {
  const { kty, kid, use = 'sig', alg } = (jwk ?? {}) as Record<string, unknown>;
  const algorithm = typeof kty === 'string' ? ALGORITHMS[kty] : undefined;
  if (!algorithm || use !== 'sig' || (alg !== undefined && alg !== algorithm)) return undefined;
  let key: KeyObject;
  try {
    key = createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  } catch {
    return { kid, reason: 'it cannot be read' };
  }
  if (!isStrongKey(key)) {
    return { kid, reason: 'it is neither RSA of 2,048 bits or more nor EC on P-256' };
  }
  return { kid: typeof kid === 'string' ? kid : undefined, algorithm, key };
}
