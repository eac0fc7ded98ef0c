import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { sign } from 'jsonwebtoken';
import { uuidv7 } from 'uuidv7';
import type { Caller, Credential } from '../http/access';
import { isStorableText } from '../validation/storable';
import { CONFIG, type Config } from '../config';
import { Sql } from '../database/sql';
import { workspaceNotFound, workspaceSuspended } from '../workspaces/workspaces.errors';
import { requiredScopeMissing, tokensIssuedElsewhere } from './auth.errors';
import { FIND_WORKSPACE_OF_TOKEN, REFUSE_EARLIER_TOKENS, type TokenWorkspace } from './tokens.sql';

/** The claims of a token, beside the registered ones. */
export interface Claims {
  sub: string;
  workspace_id: string;
  /** Scopes with spaces between (RFC 8693, section 4.2), or a list of them; absent: the whole workspace. */
  scope?: string | string[];
  /** The API key that the token descends from, and is valid as long as. */
  key_id?: string;
  iat?: number;
  exp: number;
}

/** Claims whose signature was checked, and whose form is right. */
export interface TokenOfWorkspace {
  workspaceId: string;
  userId: string;
  scope: unknown;
  keyId: string | undefined;
  iat: number | undefined;
  exp: number;
}

@Injectable()
export class TokensService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
  ) {}

  /** @param maker the credential that asks for it, which the token ends with; absent: the operator does */
  issue(
    workspaceId: string,
    userId: string,
    limits: { scope?: string[]; expiresIn: number },
    maker?: Credential,
  ): { token: string; expiresAt: Date } {
    if (!this.config.JWT_SECRET) throw tokensIssuedElsewhere();
    const iat = Math.floor(Date.now() / 1_000);
    const exp = Math.floor(Math.min(iat + limits.expiresIn, maker?.exp ?? Infinity));
    const claims: Claims & { jti: string } = {
      jti: uuidv7(),
      sub: userId,
      workspace_id: workspaceId,
      ...(limits.scope && { scope: limits.scope.join(' ') }),
      ...(maker?.keyId && { key_id: maker.keyId }),
      iat,
      exp,
    };
    const token = sign(claims, this.config.JWT_SECRET, { algorithm: 'HS256' });
    return { token, expiresAt: new Date(exp * 1_000) };
  }

  /**
   * Refuses from now on all tokens of a workspace that were issued before. `iat` has whole seconds, so that a token
   * which is issued within the same second may be refused too.
   */
  async revokeAll(workspaceId: string): Promise<{ tokensNotBefore: Date }> {
    const [workspace] = await this.sql.run<{ tokensNotBefore: Date }>(REFUSE_EARLIER_TOKENS, [workspaceId]);
    if (!workspace) throw workspaceNotFound(workspaceId);
    return workspace;
  }

  /**
   * The caller that a token speaks for.
   * @throws 403 where the workspace is suspended, or the required scope is missing
   */
  async callerOf({ workspaceId, userId, ...token }: TokenOfWorkspace): Promise<Caller | undefined> {
    const [workspace] = await this.sql.run<TokenWorkspace>(FIND_WORKSPACE_OF_TOKEN, [
      workspaceId,
      token.keyId ?? null,
      token.iat ?? null,
    ]);
    if (!workspace) return undefined;
    if (workspace.isSuspended) throw workspaceSuspended();
    return {
      workspaceId,
      userId,
      scopes: this.scopesOf(token.scope),
      credential: { kind: 'token', keyId: token.keyId, exp: token.exp },
      requestsPerMinute: workspace.requestsPerMinute ?? this.config.RATE_LIMIT_PER_MINUTE,
    };
  }

  /** @throws 403 where the required scope is missing */
  private scopesOf(scope: unknown): string[] | undefined {
    const required = this.config.JWT_REQUIRED_SCOPE;
    if (!required) return scope === undefined ? undefined : wordsOf(scope);
    const words = wordsOf(scope);
    if (!words.includes(required)) throw requiredScopeMissing(required);
    // The other words are for other services of the identity provider.
    const ofAgents = words.filter((word) => word.startsWith('agent:'));
    return ofAgents.length > 0 ? ofAgents : undefined;
  }
}

/** How far the clock of an issuer may be ahead. */
const MAX_CLOCK_SKEW_SECONDS = 60;

/** What of claims is ours to read; undefined where a part is missing or has another form. */
export function readClaims(
  claims: Partial<Record<keyof Claims, unknown>>,
  isIssuedHere: boolean,
): TokenOfWorkspace | undefined {
  const { sub, workspace_id: workspaceId, scope, iat, exp } = claims;
  // Elsewhere the claim may mean something else.
  const keyId = isIssuedHere ? claims.key_id : undefined;
  // The library checks an `exp` that is there, but does not ask for one.
  if (typeof exp !== 'number' || !isUserId(sub) || !isId(workspaceId)) return undefined;
  if (keyId !== undefined && !isId(keyId)) return undefined;
  // Else it would outlive the end of all earlier tokens.
  if (typeof iat === 'number' && iat > Date.now() / 1_000 + MAX_CLOCK_SKEW_SECONDS) return undefined;
  return { workspaceId, userId: sub, scope, keyId, iat: typeof iat === 'number' ? iat : undefined, exp };
}

const isId = (value: unknown): value is string => isUUID(value);

const isUserId = (sub: unknown): sub is string =>
  typeof sub === 'string' && sub !== '' && isStorableText(sub);

/** A claim that is there but not understood has no words, and so reaches nothing rather than everything. */
function wordsOf(scope: unknown): string[] {
  const words = Array.isArray(scope)
    ? (scope as unknown[])
    : typeof scope === 'string'
      ? scope.split(' ')
      : [];
  return words.filter((word): word is string => typeof word === 'string');
}
