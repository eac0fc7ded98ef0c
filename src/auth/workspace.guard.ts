import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ACCESS, type Access, type AuthenticatedRequest, type Caller } from '../common/access';
import { forbidden, unauthenticated } from '../common/errors';
import { assertOwnWorkspace } from '../common/own-workspace';

/** Stands before every route: who asks, may they come here, and do they speak of their own workspace only. */
@Injectable()
export class WorkspaceGuard extends AuthGuard(['api-key', 'bearer']) {
  constructor(private readonly reflector: Reflector) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.reach === 'public') return true;
    await super.canActivate(context);
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    if (!mayReach(request.user, access, request)) {
      throw forbidden('The scope of this credential does not reach here');
    }
    assertOwnWorkspace(request);
    return true;
  }

  override handleRequest<User>(
    error: unknown,
    user: User | false,
    _info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error as Error;
    if (user) return user;
    const { headers } = context.switchToHttp().getRequest<Request>();
    throw unauthenticated(
      headers['x-api-key'] === undefined && headers.authorization === undefined
        ? 'Send an API key in the header X-API-Key, or a token as Authorization: Bearer <token>.'
        : 'The API key or token is not valid: unknown, expired, revoked, or signed with another key.',
    );
  }
}

/** A scoped credential reaches only what says that it may: a route that declares nothing is closed to it. */
function mayReach({ scopes }: Caller, access: Access | undefined, request: Request): boolean {
  if (scopes === undefined) return true;
  return access?.reach === 'agent' && scopes.includes(`agent:${String(request.params[access.parameter])}`);
}
