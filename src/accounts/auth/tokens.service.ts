import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { sign } from 'jsonwebtoken';
import type { KeyObject } from 'node:crypto';
import { uuidv7 } from 'uuidv7';
import { CONFIG, type Config } from '../../config';
import { Database } from '../../platform/database/database';
import { type Caller, type Credential, isKnownScope } from '../../platform/http/access';
import { isStorableText } from '../../platform/validation/storable';
import { workspaceNotFound, workspaceSuspended } from '../workspaces/workspaces.errors';
import { requiredScopeMissing, tokensIssuedElsewhere } from './auth.errors';
import { toSecretKey } from './token-verification-keys';
import { TokensRepository } from './tokens.repository';

/** The claims of a token. */
export interface Claims {
  sub: string;
  workspace_id: string;
  /** Scopes separated by spaces (RFC 8693, section 4.2), or a list of them. Missing: the whole workspace. */
  scope?: string | string[];
  /** The API key that the token was issued with. The token ends with it. */
  key_id?: string;
  /** The one-time link whose session it was issued with. The token ends when the operator revokes the link. */
  link_id?: string;
  iat?: number;
  nbf?: number;
  exp: number;
}

/** The claims of a token with a valid signature. */
export interface VerifiedToken {
  workspaceId: string;
  userId: string;
  scope: unknown;
  keyId: string | undefined;
  linkId: string | undefined;
  iat: number | undefined;
  exp: number;
}

interface TokenLimits {
  scope?: string[];
  /** The lifetime in seconds. */
  expiresIn: number;
}

export interface IssuedToken {
  /** The claim `jti` of the token. */
  tokenId: string;
  token: string;
  expiresAt: Date;
}

@Injectable()
export class TokensService {
  private readonly key: KeyObject | undefined;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly tokens: TokensRepository,
    private readonly database: Database,
  ) {
    this.key = toSecretKey(config.JWT_SECRET);
  }

  /**
   * Issues a token. It is not stored; the transaction is for the audit.
   * @param issuer the credential of the request, with which the token ends. Missing: the operator issues it
   */
  async issue(workspaceId: string, userId: string, limits: TokenLimits, issuer?: Credential) {
    const issued = this.sign(workspaceId, userId, limits, issuer);
    await this.database.transaction((transaction) => {
      transaction.change = {
        user: userId,
        scope: limits.scope ?? null,
        expires_at: issued.expiresAt.toISOString(),
      };
      return Promise.resolve(issued);
    });
    return { token: issued.token, expiresAt: issued.expiresAt };
  }

  /** Signs a token without an entry in the audit. */
  sign(workspaceId: string, userId: string, limits: TokenLimits, issuer?: Credential): IssuedToken {
    if (!this.key) throw tokensIssuedElsewhere();
    const tokenId = uuidv7();
    const iat = Math.floor(Date.now() / 1_000);
    const exp = Math.floor(Math.min(iat + limits.expiresIn, issuer?.exp ?? Infinity));
    const claims: Claims & { jti: string } = {
      jti: tokenId,
      sub: userId,
      workspace_id: workspaceId,
      ...(limits.scope && { scope: limits.scope.join(' ') }),
      ...(issuer?.keyId && { key_id: issuer.keyId }),
      ...(issuer?.linkId && { link_id: issuer.linkId }),
      iat,
      exp,
    };
    const token = sign(claims, this.key, { algorithm: 'HS256' });
    return { tokenId, token, expiresAt: new Date(exp * 1_000) };
  }

  /**
   * Revokes the tokens of a workspace that were issued until now. `iat` has whole seconds, so a token that is issued
   * in the same second can end too.
   * @throws 404
   */
  async revokeAll(workspaceId: string): Promise<{ tokensNotBefore: Date }> {
    return this.database.transaction(async (transaction) => {
      const revoked = await this.tokens.revokeAll(workspaceId, transaction);
      if (!revoked) throw workspaceNotFound(workspaceId);
      return revoked;
    });
  }

  /**
   * @returns null if the token is not valid any more
   * @throws 403 if the workspace is suspended, or the required scope is missing
   */
  async authenticate({ workspaceId, userId, ...token }: VerifiedToken): Promise<Caller | null> {
    const { keyId = null, linkId = null, iat = null } = token;
    const workspace = await this.tokens.findWorkspace({ workspaceId, keyId, linkId, iat });
    if (!workspace) return null;
    if (workspace.isSuspended) throw workspaceSuspended();
    return {
      workspaceId,
      userId,
      scopes: this.readScopes(token.scope),
      credential: {
        kind: 'token',
        keyId: token.keyId,
        capId: workspace.capId ?? undefined,
        linkId: token.linkId,
        name: userId,
        iat: token.iat,
        exp: token.exp,
      },
      requestsPerMinute: workspace.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }

  /** @throws 403 if the required scope is missing */
  private readScopes(scope: unknown): string[] | undefined {
    const required = this.config.JWT_REQUIRED_SCOPE;
    if (!required) return scope === undefined ? undefined : splitScope(scope);
    const words = splitScope(scope);
    if (!words.includes(required)) throw requiredScopeMissing(required);
    // The other words are scopes of other services of the identity provider.
    const known = words.filter(isKnownScope);
    return known.length > 0 ? known : undefined;
  }
}

/** The longest time by which the clock of the issuer can be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 35;

/** Whether a time is in the future, also by the clock of the issuer. */
const isAhead = (time: number) => time > Date.now() / 1_000 + MAX_CLOCK_SKEW_SECONDS;

/** undefined: a claim is missing or malformed. */
export function readClaims(
  claims: Partial<Record<keyof Claims, unknown>>,
  { isIssuedHere }: { isIssuedHere: boolean },
): VerifiedToken | undefined {
  const { sub, workspace_id: workspaceId, scope, iat, nbf, exp } = claims;
  // An identity provider may use these claims for something else.
  const { key_id: keyId, link_id: linkId } = isIssuedHere ? claims : {};
  // The library accepts a token without `exp`.
  if (typeof exp !== 'number' || !isUserId(sub) || !isId(workspaceId)) return undefined;
  if (keyId !== undefined && !isId(keyId)) return undefined;
  if (linkId !== undefined && !isId(linkId)) return undefined;
  // A token from the future would stay valid when all tokens are revoked.
  if (typeof iat === 'number' && isAhead(iat)) return undefined;
  if (nbf !== undefined && (typeof nbf !== 'number' || isAhead(nbf))) return undefined;
  const issuedAt = typeof iat === 'number' ? iat : undefined;
  return { workspaceId, userId: sub, scope, keyId, linkId, iat: issuedAt, exp };
}

const isId = (value: unknown): value is string => isUUID(value);

const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && isStorableText(sub);

/** A malformed claim has no words, so the token gives access to nothing rather than to everything. */
function splitScope(scope: unknown): string[] {
  const words = Array.isArray(scope)
    ? (scope as unknown[])
    : typeof scope === 'string'
      ? scope.split(' ')
      : [];
  return words.filter((word): word is string => typeof word === 'string');
}
