import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { AuthGuard } from '@nestjs/passport';
import type { Request } from 'express';
import {
  ACCESS,
  type Access,
  agentsInScope,
  type AuthenticatedRequest,
  type Caller,
  mayAdminister,
  mayChange,
} from '../../platform/http/access';
import { isSafeMethod } from '../../platform/http/safe-methods';
import { ApiKeysService } from './api-keys.service';
import { apiKeyRequired, operationLiftsCap, outOfScope } from './auth.errors';
import { KeyLookupError } from './passport.strategies';
import { CallCredentials } from './call-credentials';
import { isCallToken } from './call-token';
import { LastUses } from './last-uses';
import { SessionAuthentication } from './session-authentication';
import { WrongCredentials } from './wrong-credentials';

/** Authenticates every request, and checks that its credential has access to the route. */
@Injectable()
export class WorkspaceGuard extends AuthGuard(['api-key', 'bearer']) {
  constructor(
    private readonly reflector: Reflector,
    private readonly wrongCredentials: WrongCredentials,
    private readonly apiKeys: ApiKeysService,
    private readonly calls: CallCredentials,
    private readonly sessions: SessionAuthentication,
    private readonly lastUses: LastUses,
  ) {
    super();
  }

  override async canActivate(context: ExecutionContext): Promise<boolean> {
    const access = this.reflector.get<Access | undefined>(ACCESS, context.getHandler());
    if (access?.reach === 'public') return true;
    const request = context.switchToHttp().getRequest<AuthenticatedRequest>();
    // A stream checks its credential again while it lasts, which does not count as another use.
    const isFirst = (request.user as Caller | undefined) === undefined;
    if (hasNoHeader(request)) {
      const isSignIn = access?.reach === 'filtered' && access.or === 'link';
      request.user = await (isSignIn ? this.sessions.byLink(request) : this.sessions.byCookie(request));
    } else if (!(await this.hasCredentialOfDatabase(request))) {
      await super.canActivate(context);
    }
    const { credential } = request.user;
    if (!hasAccess(request.user, access, request)) throw outOfScope();
    if (access?.reach === 'unscoped' && access.without === credential.kind) throw apiKeyRequired();
    if (access && 'liftsCap' in access && credential.capId !== undefined) throw operationLiftsCap();
    if (isFirst) this.lastUses.note(credential);
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
    const failed = [info].flat().find((each) => each instanceof KeyLookupError);
    if (failed) throw failed.cause as Error;
    const request = context.switchToHttp().getRequest<Request>();
    throw this.wrongCredentials.count(request);
  }

  /**
   * Checks an API key or the token of a call without Passport, which would make two strategies and several promises
   * for each request. Passport still decides on a request that has a key and a token.
   * @returns false if Passport decides
   * @throws 401, 403, 429
   */
  private async hasCredentialOfDatabase(request: AuthenticatedRequest): Promise<boolean> {
    const { 'x-api-key': apiKey, authorization } = request.headers;
    const callToken = readCallTokenOf(authorization);
    let caller: Caller | null;
    if (apiKey !== undefined) {
      caller = await this.wrongCredentials.lookUp(request, String(apiKey), (key) =>
        this.apiKeys.authenticate(key),
      );
      if (!caller && authorization !== undefined) return false;
    } else if (callToken !== undefined) {
      caller = await this.wrongCredentials.lookUp(request, callToken, (token) =>
        this.calls.authenticate(token),
      );
    } else return false;
    if (!caller) throw this.wrongCredentials.count(request);
    request.user = caller;
    return true;
  }
}

function readCallTokenOf(authorization: string | undefined): string | undefined {
  const [scheme = '', bearer = ''] = authorization?.split(' ') ?? [];
  return /^bearer$/i.test(scheme) && isCallToken(bearer) ? bearer : undefined;
}

/** A cookie is only read if no header has a credential. */
const hasNoHeader = ({ headers }: Request) =>
  headers['x-api-key'] === undefined && headers.authorization === undefined;

/** Ending one's own session changes nothing for others. */
const isOwnSession = ({ credential }: Caller, { method, path }: Request) =>
  method === 'DELETE' && path === '/api/session' && credential.sessionId !== undefined;

/** Whether a credential that may change nothing has access. A new route with another method is closed to it. */
function isReading(access: Access, caller: Caller, request: Request): boolean {
  if ('showsSecret' in access) return false;
  return 'changesNothing' in access || isSafeMethod(request.method) || isOwnSession(caller, request);
}

/** Whether the words of a credential's scopes include what the route does. */
const includesRoute = (access: Access, caller: Caller, request: Request): boolean =>
  mayAdminister(caller) || isReading(access, caller, request) || (mayChange(caller) && 'operates' in access);

/** A scoped credential has no access to a route that declares none. */
function hasAccess(caller: Caller, access: Access | undefined, request: Request): boolean {
  const { credential } = caller;
  if (access?.reach === 'call') {
    if (access.parameter === undefined) return credential.callId !== undefined;
    return credential.callId === String(request.params[access.parameter]).toLowerCase();
  }
  if (caller.scopes === undefined) return true;
  if (!access) return false;
  // A session can do no more than its credential, but would outlive a call.
  if (access.reach === 'filtered' && access.or === 'link') return credential.callId === undefined;
  if (!includesRoute(access, caller, request)) return false;
  if (access.reach === 'filtered') return true;
  const agentIds = agentsInScope(caller);
  if (agentIds === undefined) return true;
  return access.reach === 'agent' && agentIds.includes(String(request.params[access.parameter]));
}
