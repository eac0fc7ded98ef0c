import { Inject, Injectable, type OnApplicationBootstrap, type OnModuleDestroy } from '@nestjs/common';
import { type Algorithm, decode, type Jwt, verify } from 'jsonwebtoken';
import { createPublicKey, type KeyObject } from 'node:crypto';
import { CONFIG, type Config } from '../config';
import { PublishedKeys } from './published-keys';

/** The keys that tokens may be signed with, and the only algorithms. */
@Injectable()
export class TokenKeys implements OnApplicationBootstrap, OnModuleDestroy {
  readonly algorithms: Algorithm[];
  private readonly published: PublishedKeys | undefined;

  constructor(@Inject(CONFIG) private readonly config: Config) {
    this.published = config.JWKS_URL ? new PublishedKeys(config.JWKS_URL) : undefined;
    this.algorithms = algorithmsOf(config);
  }

  onApplicationBootstrap(): void {
    if (this.config.ROLES.includes('http')) this.published?.start();
  }

  async onModuleDestroy(): Promise<void> {
    await this.published?.stop();
  }

  /**
   * The key that a token's signature is to be checked with; undefined: it can not be valid.
   * @throws 503 where the keys can not be had
   */
  async find(token: string): Promise<string | KeyObject | undefined> {
    const decoded = decodeToken(token);
    if (!decoded) return undefined;
    const { alg, kid } = decoded.header;
    if (!this.algorithms.some((known) => known === alg)) return undefined;
    if (this.published) {
      return kid === undefined || typeof kid === 'string' ? this.published.find(alg, kid) : undefined;
    }
    const { JWT_SECRET, JWT_SECRET_PREVIOUS, JWT_PUBLIC_KEY } = this.config;
    if (JWT_SECRET_PREVIOUS && isSignedWith(JWT_SECRET_PREVIOUS, token)) return JWT_SECRET_PREVIOUS;
    return JWT_SECRET ?? JWT_PUBLIC_KEY;
  }
}

function algorithmsOf({ JWKS_URL, JWT_PUBLIC_KEY }: Config): Algorithm[] {
  if (JWKS_URL) return ['RS256', 'ES256'];
  if (!JWT_PUBLIC_KEY) return ['HS256'];
  return [createPublicKey(JWT_PUBLIC_KEY).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256'];
}

/** Undefined for a malformed token, and for one with `crit` (RFC 7515, 4.1.11), which jsonwebtoken ignores. */
function decodeToken(token: string): Jwt | undefined {
  let decoded: Jwt | null;
  try {
    decoded = decode(token, { complete: true });
  } catch {
    return undefined;
  }
  // jsonwebtoken also takes payloads that are no object, and fails on null.
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
