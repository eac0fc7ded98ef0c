import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ACCESS, type Access, type AuthenticatedRequest, type Caller, scopeOf } from '../common/access';
import { invalidCredential, noCredential, outOfScope } from './auth.errors';

/** Stands before every route: who asks, and may they come here. */
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
    if (!mayReach(request.user, access, request)) throw outOfScope();
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
    const isWithout = headers['x-api-key'] === undefined && headers.authorization === undefined;
    throw isWithout ? noCredential() : invalidCredential();
  }
}

/** A scoped credential reaches only what says that it may: a route that declares nothing is closed to it. */
function mayReach({ scopes }: Caller, access: Access | undefined, request: Request): boolean {
  if (scopes === undefined) return true;
  if (access?.reach === 'filtered') return true;
  return access?.reach === 'agent' && scopes.includes(scopeOf(String(request.params[access.parameter])));
}
