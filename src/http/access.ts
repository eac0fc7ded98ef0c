import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';
import { AGENT_SCOPE } from '../config';

/** The credential of a request. Keys and tokens that it issues expire with it. */
export interface Credential {
  kind: 'api-key' | 'token';
  /** The key itself, or the one that the token descends from; undefined: the token was not issued over REST. */
  keyId: string | undefined;
  /** When it expires, in seconds since 1970, as in a token's `exp`. */
  exp: number | undefined;
}

/** The sender of a request, according to its credential. */
export interface Caller {
  workspaceId: string;
  userId: string;
  /** undefined: the whole workspace; else only the resources that these name, such as `agent:<agent_id>`. */
  scopes: string[] | undefined;
  credential: Credential;
  /** The rate limit of the workspace. */
  requestsPerMinute: number;
}

export type Access =
  | { reach: 'public' }
  | { reach: 'unscoped'; with?: Credential['kind'] }
  | { reach: 'agent'; parameter: string }
  | { reach: 'filtered' };

export const ACCESS = Symbol('access');

const access = (value: Access) => SetMetadata(ACCESS, value);

/** Needs no credential. */
export const Public = () => access({ reach: 'public' });

/** Needs a credential without scopes. */
export const Unscoped = () => access({ reach: 'unscoped' });

/** Needs an API key without scopes. */
export const UnscopedApiKey = () => access({ reach: 'unscoped', with: 'api-key' });

/** Needs a credential without scopes, or one whose scopes name the agent of the path. */
export const AgentScoped = (parameter = 'agent_id') => access({ reach: 'agent', parameter });

/** Takes every credential. The service returns only what belongs to the agents in scope, see {@link agentsInScope}. */
export const ScopeFiltered = () => access({ reach: 'filtered' });

export const scopeOf = (agentId: string) => AGENT_SCOPE + agentId;

export const isAgentScope = (scope: string) => scope.startsWith(AGENT_SCOPE);

/** The agent ids of a credential's scopes, which may be any text; undefined: it has no scopes and reaches all agents. */
export const agentsInScope = ({ scopes }: Caller): string[] | undefined =>
  scopes?.filter(isAgentScope).map((scope) => scope.slice(AGENT_SCOPE.length));

export type AuthenticatedRequest = Request & { user: Caller };

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
