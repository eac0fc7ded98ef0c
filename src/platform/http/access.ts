import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import { AGENT_SCOPE, MCP_ACT_SCOPE, OPERATE_SCOPE, READ_SCOPE, SCOPE_WORDS } from '../../config';

/** `link`: a link of the operator, which can be used once, to begin a session. */
export const CREDENTIAL_KINDS = ['api-key', 'token', 'link'] as const;

/** The credential of a request. Keys and tokens that it issues expire with it. */
export interface Credential {
  kind: (typeof CREDENTIAL_KINDS)[number];
  /** The name by which the audit calls the credential. */
  name: string;
  /** The session that came with the request in the place of the credential. For a link: the session that it begins. */
  sessionId?: string;
  /** The key itself, or the one that the token descends from; undefined: the token was not issued over REST. */
  keyId: string | undefined;
  /** The cap that counts the calls which the credential starts; undefined: none does. */
  capId?: string;
  /**
   * The one-time link that the credential descends from. The credential ends when the operator revokes the link.
   */
  linkId?: string;
  /** The person who signed in, if a link of theirs did. */
  personId?: string;
  /** The call whose runtime has the credential, and may upload the recording of this call. */
  callId?: string;
  /** The agent of this call, the version with which it was accepted, and the status of the call if it has ended. */
  agentOfCall?: { agentId: string; agentVersion: number; endedAs: string | null };
  /** The time when the token was issued, in the unit of `exp`. */
  iat?: number;
  /** The time when the credential expires, in seconds since 1970, as in a token's `exp`. */
  exp: number | undefined;
}

/** The sender of a request, according to its credential. */
export interface Caller {
  workspaceId: string;
  userId: string;
  /**
   * undefined: the caller may use the whole workspace. Read them by {@link agentsInScope}, {@link mayChange},
   * {@link mayAdminister} and {@link mayActOverMcp}.
   */
  scopes: string[] | undefined;
  credential: Credential;
  /** The rate limit of the workspace. */
  requestsPerMinute: number;
}

/** The meaning of {@link READ_SCOPE} and {@link OPERATE_SCOPE} for a route, if its method does not say it. */
interface WordRights {
  /** Its method is not safe, but it changes nothing by itself. */
  changesNothing?: true;
  /** It acts on calls, campaigns, their recipients or the do-not-call list. */
  operates?: true;
  /** It shows a secret by which others know this server. */
  showsSecret?: true;
  /** It makes something that can start calls which no cap counts, so a credential with a cap has no access. */
  liftsCap?: true;
}

export type Access =
  | { reach: 'public' }
  | ({ reach: 'unscoped'; without?: 'token' } & WordRights)
  | ({ reach: 'agent'; parameter: string } & WordRights)
  /** Without a parameter, the feature compares the call. */
  | { reach: 'call'; parameter?: string }
  /** `link`: without a credential in its headers, a request may have a one-time link in its body. */
  | ({ reach: 'filtered'; or?: 'link' } & WordRights);

export const ACCESS = Symbol('access');

const access = (value: Access) => SetMetadata(ACCESS, value);

/** Declares that a route needs no credential. */
export const Public = () => access({ reach: 'public' });

/** Declares that a route needs a credential that is not limited to agents. */
export const Unscoped = (options: WordRights = {}) => access({ reach: 'unscoped', ...options });

/** Declares that a route needs an API key not limited to agents, or a session that does not stem from a token. */
export const UnscopedApiKey = (options: WordRights = {}) =>
  access({ reach: 'unscoped', without: 'token', ...options });

/** Declares that a route needs a credential not limited to agents, or one whose scopes name the agent of the path. */
export const AgentScoped = (options: WordRights = {}) =>
  access({ reach: 'agent', parameter: 'agent_id', ...options });

/** Declares that a route needs the credential of the call of the path, which its runtime has. */
export const OwnCall = (parameter = 'call_id') => access({ reach: 'call', parameter });

/** Only the credentials of calls have access. The feature finds no call but that of the credential. */
export const SomeCall = () => access({ reach: 'call' });

/**
 * Declares that a route takes every credential. Its service returns only what belongs to the agents in scope, see
 * {@link agentsInScope}.
 */
export const ScopeFiltered = (options: WordRights = {}) => access({ reach: 'filtered', ...options });

/** Declares that a route takes every credential but that of a call, and the one-time link of the operator. */
export const SignIn = () => access({ reach: 'filtered', or: 'link' });

export const toScope = (agentId: string) => AGENT_SCOPE + agentId;

const isAgentScope = (scope: string) => scope.startsWith(AGENT_SCOPE);

/** Whether the scope means something here. */
export const isKnownScope = (scope: string) => isAgentScope(scope) || SCOPE_WORDS.includes(scope);

/**
 * The agent ids of a credential's scopes, which may be any text; undefined: it reaches all agents. A scope that is not
 * known limits the credential to the agents that others name.
 */
export function agentsInScope({ scopes }: Pick<Caller, 'scopes'>): string[] | undefined {
  if (scopes === undefined) return undefined;
  if (scopes.length > 0 && scopes.every((scope) => SCOPE_WORDS.includes(scope))) return undefined;
  return scopes.filter(isAgentScope).map((scope) => scope.slice(AGENT_SCOPE.length));
}

export const mayChange = ({ scopes }: Pick<Caller, 'scopes'>): boolean => !scopes?.includes(READ_SCOPE);

/** Whether the caller may change something beside calls, campaigns, their recipients and the do-not-call list. */
export const mayAdminister = (caller: Pick<Caller, 'scopes'>): boolean =>
  mayChange(caller) && !caller.scopes?.includes(OPERATE_SCOPE);

/** Whether the tools of `/mcp` that change something are offered. Without the scope, they are not, even if REST is. */
export const mayActOverMcp = (caller: Caller): boolean =>
  mayChange(caller) && caller.scopes?.includes(MCP_ACT_SCOPE) === true;

export type AuthenticatedRequest = Request & { user: Caller };

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);

/**
 * Injects the context of the guards, for a handler whose response lasts so long that the credential must be checked
 * again.
 */
export const CurrentContext = createParamDecorator((_: unknown, context: ExecutionContext) => context);
