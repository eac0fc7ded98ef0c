import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { type Algorithm, sign } from 'jsonwebtoken';
import { createHash, createPublicKey } from 'node:crypto';
import { passportJwtSecret } from 'jwks-rsa';
import type { SecretOrKeyProvider } from 'passport-jwt';
import type { Caller } from '../common/access';
import { isStorableText } from '../common/storable';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { tokensIssuedElsewhere } from './auth.errors';

/** The claims of a token, beside the registered ones. */
export interface Claims {
  sub: string;
  workspace_id: string;
  /** Scopes with spaces between (RFC 8693, section 4.2), or a list of them; absent: the whole workspace. */
  scope?: string | string[];
  exp: number;
}

const FIND_WORKSPACE: Statement = {
  name: 'find-workspace',
  text: 'SELECT id FROM workspaces WHERE id = $1',
};

@Injectable()
export class TokensService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
  ) {}

  issue(
    workspaceId: string,
    userId: string,
    limits: { scope?: string[]; expiresIn: number },
  ): { token: string } {
    if (!this.config.JWT_SECRET) throw tokensIssuedElsewhere();
    const claims = { sub: userId, workspace_id: workspaceId, scope: limits.scope?.join(' ') };
    const token = sign(JSON.parse(JSON.stringify(claims)) as object, this.config.JWT_SECRET, {
      algorithm: 'HS256',
      expiresIn: limits.expiresIn,
    });
    return { token };
  }

  /** The caller that a token speaks for, once its signature has been checked. */
  async callerOf(claims: Partial<Claims>): Promise<Caller | undefined> {
    const { sub, workspace_id, scope, exp } = claims;
    // The library checks an `exp` that is there, but does not ask for one.
    if (typeof exp !== 'number' || !isUserId(sub) || !isUUID(workspace_id)) return undefined;
    const [workspace] = await this.sql.run(FIND_WORKSPACE, [workspace_id]);
    if (!workspace) return undefined;
    return {
      workspaceId: workspace_id as string,
      userId: sub,
      scopes: scope === undefined ? undefined : scopesOf(scope),
      credential: createHash('sha256').update(`${workspace_id} ${sub}`).digest('base64url'),
    };
  }
}

const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && isStorableText(sub);

/** A claim that is there but not understood reaches nothing, rather than everything. */
function scopesOf(scope: unknown): string[] {
  const words = Array.isArray(scope)
    ? (scope as unknown[])
    : typeof scope === 'string'
      ? scope.split(' ')
      : [];
  return words.filter((word): word is string => typeof word === 'string');
}

/** Which key checks a token's signature, and the only algorithms that it may be signed with. */
export function verification(config: Config): {
  secretOrKey?: string;
  secretOrKeyProvider?: SecretOrKeyProvider;
  algorithms: Algorithm[];
} {
  if (config.JWKS_URL) {
    return {
      secretOrKeyProvider: passportJwtSecret({ jwksUri: config.JWKS_URL, cache: true, rateLimit: true }),
      algorithms: ['RS256', 'ES256'],
    };
  }
  if (config.JWT_PUBLIC_KEY) {
    return { secretOrKey: config.JWT_PUBLIC_KEY, algorithms: [algorithmOf(config.JWT_PUBLIC_KEY)] };
  }
  return { secretOrKey: config.JWT_SECRET, algorithms: ['HS256'] };
}

const algorithmOf = (publicKey: string) =>
  createPublicKey(publicKey).asymmetricKeyType === 'rsa' ? 'RS256' : 'ES256';
