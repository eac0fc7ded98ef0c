import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Algorithm, decode, type Jwt, verify } from 'jsonwebtoken';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CONFIG, type Config } from '../../config';
import { JwksCache } from './jwks-cache';

/** The keys and algorithms that the signatures of tokens are verified with. */
@Injectable()
export class TokenVerificationKeys implements OnApplicationBootstrap, OnModuleDestroy {
  readonly algorithms: Algorithm[];
  private readonly jwks: JwksCache | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.jwks = config.JWKS_URL ? new JwksCache(config.JWKS_URL) : undefined;
    this.algorithms = getAlgorithms(config);
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
  async find(token: string): Promise<string | KeyObject | undefined> {
    const decoded = decodeToken(token);
    if (!decoded) return undefined;
    const { alg, kid } = decoded.header;
    if (!(this.algorithms as string[]).includes(alg)) return undefined;
    if (this.jwks) {
      return kid === undefined || typeof kid === 'string' ? this.jwks.find(alg, kid) : undefined;
    }
    const { JWT_SECRET, JWT_SECRET_PREVIOUS, JWT_PUBLIC_KEY } = this.config;
    // Only a trial shows which secret signed a token. Passport then verifies it again, with all of its claims.
    if (JWT_SECRET_PREVIOUS && isSignedWith(JWT_SECRET_PREVIOUS, token)) return JWT_SECRET_PREVIOUS;
    return JWT_SECRET ?? JWT_PUBLIC_KEY;
  }
}

function getAlgorithms({ JWKS_URL, JWT_PUBLIC_KEY }: Config): Algorithm[] {
  if (JWKS_URL) return ['RS256', 'ES256'];
  if (!JWT_PUBLIC_KEY) return ['HS256'];
  return [createPublicKey(JWT_PUBLIC_KEY).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'];
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

function isSignedWith(secret: string, token: string): boolean {
  try {
    verify(token, secret, { algorithms: ['HS256'], ignoreExpiration: true, ignoreNotBefore: true });
    return true;
  } catch {
    return false;
  }
}
