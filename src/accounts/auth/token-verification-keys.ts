import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Algorithm, decode, type Jwt, verify } from 'jsonwebtoken';
import { createPublicKey, createSecretKey, type KeyObject } from 'node:crypto';
import { CONFIG, type Config } from '../../config';
import { JwksCache } from './jwks-cache';

/** For a text, jsonwebtoken first tries for half a millisecond, at each token, whether it is an asymmetric key. */
export const toSecretKey = (secret: string | undefined): KeyObject | undefined =>
  secret === undefined ? undefined : createSecretKey(secret, 'utf8');

/** The keys and algorithms that the signatures of tokens are verified with. */
@Injectable()
export class TokenVerificationKeys implements OnApplicationBootstrap, OnModuleDestroy {
  readonly algorithms: Algorithm[];
  private readonly jwks: JwksCache | undefined;
  private readonly key: KeyObject | undefined;
  private readonly previousSecret: KeyObject | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    const { JWKS_URL, JWT_SECRET, JWT_SECRET_PREVIOUS, JWT_PUBLIC_KEY } = config;
    this.jwks = JWKS_URL ? new JwksCache(JWKS_URL) : undefined;
    this.key = JWT_PUBLIC_KEY ? createPublicKey(JWT_PUBLIC_KEY) : toSecretKey(JWT_SECRET);
    this.previousSecret = toSecretKey(JWT_SECRET_PREVIOUS);
    this.algorithms = getAlgorithms(this.jwks, this.key);
  }

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('http')) this.jwks?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.jwks?.stop();
  }

  /**
   * @returns the key to verify the signature with; undefined: the token is not valid
   * @throws 503 if the keys of the identity provider could not be loaded
   */
  async find(token: string): Promise<KeyObject | undefined> {
    const decoded = decodeToken(token);
    if (!decoded) return undefined;
    const { alg, kid } = decoded.header;
    if (!(this.algorithms as string[]).includes(alg)) return undefined;
    if (this.jwks) {
      return kid === undefined || typeof kid === 'string' ? this.jwks.find(alg, kid) : undefined;
    }
    // Only a trial shows which secret signed a token. Passport then verifies it again, with all of its claims.
    if (this.previousSecret && isSignedWith(this.previousSecret, token)) return this.previousSecret;
    return this.key;
  }
}

function getAlgorithms(jwks: JwksCache | undefined, key: KeyObject | undefined): Algorithm[] {
  if (jwks) return ['RS256', 'ES256'];
  if (key?.type !== 'public') return ['HS256'];
  return [key.asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'];
}

/** undefined: the token is malformed, or has `crit` (RFC 7515, 4.1.11), which jsonwebtoken ignores. */
function decodeToken(token: string): Jwt | undefined {
  let decoded: Jwt | null;
  try {
    decoded = decode(token, { complete: true });
  } catch {
    return undefined;
  }
  // jsonwebtoken accepts payloads that are not objects, and throws for null.
  const payload: unknown = decoded?.payload;
  if (typeof payload !== 'object' || payload === null || Array.isArray(payload)) return undefined;
  return decoded && !('crit' in decoded.header) ? decoded : undefined;
}

function isSignedWith(secret: KeyObject, token: string): boolean {
  try {
    verify(token, secret, { algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true });
    return true;
  } catch {
    return false;
  }
}
