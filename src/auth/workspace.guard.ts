import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import { ACCESS, type Access, type AuthenticatedRequest, type Caller, scopeOf } from '../http/access';
import { apiKeyRequired, noCredential, outOfScope } from './auth.errors';
import { KeyLookupFailed } from './strategies';
import { ValidKeys } from './valid-keys';
import { sourceOf, WrongCredentials } from './wrong-credentials';

/** Stands before every route: who asks, and may they come here. */
@Injectable()
export class WorkspaceGuard extends AuthGuard(['api-key', 'bearer']) {
  constructor(
    private readonly reflector: Reflector,
    private readonly wrongCredentials: WrongCredentials,
    private readonly validKeys: ValidKeys,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.reach === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    this.refuseGuesses(request);
    await super.canActivate(context);
    if (!mayReach(request.user, access, request)) throw outOfScope();
    if (access?.reach === 'unscoped' && access.with && access.with !== request.user.credential.kind) {
      throw apiKeyRequired();
    }
    return true;
  }

  override handleRequest<User>(
    error: unknown,
    user: User | false,
    info: unknown,
    context: ExecutionContext,
  ): User {
    if (error) throw error as Error;
    if (user) return user;
    const failed = [info].flat().find((each) => each instanceof KeyLookupFailed);
    if (failed) throw failed.cause as Error;
    const request = context.switchToHttp().getRequest<Request>();
    const isWithout =
      request.headers['x-api-key'] === undefined && request.headers.authorization === undefined;
    throw isWithout ? noCredential() : this.wrongCredentials.count(sourceOf(request));
  }

  /**
   * Without a look into the database, an API key that may be a guess, where its address has sent too many wrong
   * credentials. Tokens need no such look: they are checked by their signature first.
   */
  private refuseGuesses(request: Request): void {
    const apiKey = request.headers['x-api-key'];
    if (apiKey === undefined || !this.wrongCredentials.isLimitReached(sourceOf(request))) return;
    if (!this.validKeys.has(String(apiKey))) throw this.wrongCredentials.count(sourceOf(request));
  }
}

/** A scoped credential reaches only what says that it may: a route that declares nothing is closed to it. */
function mayReach({ scopes }: Caller, access: Access | undefined, request: Request): boolean {
  if (scopes === undefined) return true;
  if (access?.reach === 'filtered') return true;
  return access?.reach === 'agent' && scopes.includes(scopeOf(String(request.params[access.parameter])));
}
