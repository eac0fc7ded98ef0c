import { createParamDecorator, type ExecutionContext, SetMetadata } from '@nestjs/common';
import type { Request } from 'express';

/** Who sent a request, as its credential says. */
export interface Caller {
  workspaceId: string;
  userId: string;
  /** undefined: the whole workspace; else only what one of these names, such as `agent:<agent_id>`. */
  scopes: string[] | undefined;
  /** Tells credentials apart without showing them. */
  credential: string;
}

export type Access = { reach: 'public' } | { reach: 'unscoped' } | { reach: 'agent'; parameter: string };

export const ACCESS = Symbol('access');

const access = (value: Access) => SetMetadata(ACCESS, value);

/** Anybody, without a credential. */
export const Public = () => access({ reach: 'public' });

/** Credentials of a workspace that carry no scope. */
export const Unscoped = () => access({ reach: 'unscoped' });

/** Unscoped credentials, and scoped ones that name the agent of the path. */
export const AgentScoped = (parameter = 'agent_id') => access({ reach: 'agent', parameter });

export type AuthenticatedRequest = Request & { user: Caller };

export const CurrentCaller = createParamDecorator(
  (_: unknown, context: ExecutionContext) => context.switchToHttp().getRequest<AuthenticatedRequest>().user,
);
