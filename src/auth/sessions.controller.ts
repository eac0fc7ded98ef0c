import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller, ScopeFiltered, SignIn, Unscoped } from '../http/access';
import { Audited, plainAddress } from '../http/audited';
import { ApiEnvelopeResponse } from '../http/envelope';
import { PageQuery } from '../http/pagination';
import { ApiRequestBody } from '../http/request-body';
import { quotaReached } from '../workspaces/workspaces.errors';
import { BeginSessionDto, ListedSessionDto, SessionDto } from './auth.dto';
import { noSession, sessionNotFound } from './auth.errors';
import { clearSessionCookie, setSessionCookie } from './session-cookie';
import { SessionsService } from './sessions.service';

@ApiTags('Credentials')
@Controller('api')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post('session')
  @SignIn()
  @ApiSecurity('apiKey')
  @ApiSecurity('bearer')
  @ApiSecurity({})
  @ApiRequestBody(BeginSessionDto)
  @Audited<string>('session.started', ({ result }) => ({ id: result }))
  @ApiEnvelopeResponse({
    operationId: 'beginSession',
    summary: 'Begin a session',
    description:
      'Sets a cookie that a page of this server can use in the place of its credential: an API key or a ' +
      'token in a header, or the token of a one-time link (`operator -- console link`) in the body. The session ' +
      'can do what its credential can, and ends with it, after 12 hours without a request, or after 7 days. A ' +
      'credential has at most 100 sessions; one more ends the oldest.',
    status: 201,
    message: 'Session begun',
    data: SessionDto,
    errors: [quotaReached('sessions', { limit: 10_000, used: 10_000 })],
  })
  async begin(@CurrentCaller() caller: Caller, @Req() request: Request, @Body() body: BeginSessionDto) {
    const session = await this.sessions.begin(caller, { ...body, ip: plainAddress(request.ip) });
    setSessionCookie(request, session);
    return this.sessions.show(session.caller);
  }

  @Get('session')
  @ScopeFiltered()
  @ApiEnvelopeResponse({
    operationId: 'getSession',
    summary: 'Get the session',
    description:
      'Says whose the credential of the request is, and when it ends if no other request follows. It answers ' +
      'for API keys and tokens too. A key or token in a header counts, not a cookie beside it.',
    status: 200,
    message: 'Session',
    data: SessionDto,
  })
  show(@CurrentCaller() caller: Caller) {
    return this.sessions.show(caller);
  }

  @Delete('session')
  @ScopeFiltered()
  @Audited('session.ended', ({ caller }) => ({ id: caller.credential.sessionId ?? null }))
  @ApiEnvelopeResponse({
    operationId: 'endSession',
    summary: 'End the session',
    description: 'Ends the session of the cookie at once, and removes the cookie.',
    status: 200,
    message: 'Session ended',
    errors: [noSession()],
  })
  async end(@CurrentCaller() caller: Caller, @Req() request: Request) {
    await this.sessions.end(caller);
    clearSessionCookie(request);
  }

  @Get('sessions')
  @Unscoped()
  @ApiEnvelopeResponse({
    operationId: 'listSessions',
    summary: 'List sessions',
    description:
      'Lists the sessions of the workspace that have not ended, those that began last first. Their tokens are ' +
      'never shown.',
    status: 200,
    message: 'Sessions',
    data: ListedSessionDto,
    list: true,
    paginated: true,
  })
  list(@CurrentCaller() caller: Caller, @Query() query: PageQuery) {
    return this.sessions.list(caller, query);
  }

  @Delete('sessions/:session_id')
  @Unscoped()
  @Audited('session.ended', ({ params }) => ({ id: params.session_id as string }))
  @ApiEnvelopeResponse({
    operationId: 'endWorkspaceSession',
    summary: 'End a session of the workspace',
    description:
      'Ends a session at once: that of the request, whose cookie is removed too, or another one of the workspace.',
    status: 200,
    message: 'Session ended',
    errors: [sessionNotFound()],
  })
  async endOne(
    @CurrentCaller() caller: Caller,
    @Param('session_id') sessionId: string,
    @Req() request: Request,
  ) {
    const { isCurrent } = await this.sessions.endOne(caller, sessionId);
    if (isCurrent) clearSessionCookie(request);
  }
}
