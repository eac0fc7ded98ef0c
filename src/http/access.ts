import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

/** What a request was authenticated with. What it makes ends with it. */
export interface Credential {
  kind: 'api-key' | 'token';
  /** The key itself, or the one that the token descends from; undefined: the token was not issued over REST. */
  keyId: string | undefined;
  /** When it expires, in seconds since 1970, as in a token's `exp`. */
  exp: number | undefined;
}

/** Who sent a request, as its credential says. */
export interface Caller {
  workspaceId: string;
  userId: string;
  /** undefined: the whole workspace; else only what one of these names, such as `agent:<agent_id>`. */
  scopes: string[] | undefined;
  credential: Credential;
  /** How many the workspace may send. */
  requestsPerMinute: number;
}

export type Access =
  | { reach: 'public' }
  | { reach: 'unscoped'; with?: Credential['kind'] }
  | { reach: 'agent'; parameter: string }
  | { reach: 'filtered' };

export const ACCESS = Symbol('access');

const access = (value: Access) => SetMetadata(ACCESS, value);

/** Anybody, without a credential. */
export const Public = () => access({ reach: 'public' });

/** Credentials of a workspace that carry no scope. */
export const Unscoped = () => access({ reach: 'unscoped' });

/** API keys that carry no scope. */
export const UnscopedApiKey = () => access({ reach: 'unscoped', with: 'api-key' });

/** Unscoped credentials, and scoped ones that name the agent of the path. */
export const AgentScoped = (parameter = 'agent_id') => access({ reach: 'agent', parameter });

/** Every credential: the service answers a scoped one only with what belongs to its agents, by {@link agentsInScope}. */
export const ScopeFiltered = () => access({ reach: 'filtered' });

const AGENT_SCOPE = 'agent:';

export const scopeOf = (agentId: string) => AGENT_SCOPE + agentId;

/** The ids that a credential's scopes name, which may be any text; undefined: it has no scopes and reaches all agents. */
export const agentsInScope = ({ scopes }: Caller): string[] | undefined =>
  scopes?.filter((scope) => scope.startsWith(AGENT_SCOPE)).map((scope) => scope.slice(AGENT_SCOPE.length));

export type AuthenticatedRequest = Request & { user: Caller };

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
