import { Body, Controller, Delete, Get, Param, Post, Query, Req } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller, ScopeFiltered, SignIn, Unscoped } from '../../platform/http/access';
import { plainAddress } from '../../platform/http/client-network';
import { Audited } from '../audit/audited';
import { ApiEnvelopeResponse } from '../../platform/http/envelope';
import { PageQuery } from '../../platform/http/pagination';
import { ApiRequestBody } from '../../platform/http/request-body';
import { quotaReached } from '../workspaces/workspaces.errors';
import { BeginSessionDto, ListedSessionDto, SessionDto, SessionPreviewDto } from './auth.dto';
import { noSession, sessionNotFound } from './auth.errors';
import { SessionCookie } from './session-cookie';
import { SessionsService } from './sessions.service';

@ApiTags('Credentials')
@Controller('api')
export class SessionsController {
  constructor(
    private readonly sessions: SessionsService,
    private readonly cookie: SessionCookie,
  ) {}

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
      'credential has at most 100 sessions; one more ends the oldest. The session of a cookie that came with the ' +
      'request is replaced, and ends.',
    status: 201,
    message: 'Session begun',
    data: SessionDto,
    errors: [quotaReached('sessions', { limit: 10_000, used: 10_000 })],
  })
  async begin(@CurrentCaller() caller: Caller, @Req() request: Request, @Body() body: BeginSessionDto) {
    const session = await this.sessions.begin(caller, {
      ...body,
      ip: plainAddress(request.ip),
      requestId: request.id as string,
      replaced: this.cookie.read(request),
    });
    this.cookie.set(request, session);
    return this.sessions.show(session.caller);
  }

  @Post('session/preview')
  @SignIn()
  @ApiSecurity('apiKey')
  @ApiSecurity('bearer')
  @ApiSecurity({})
  @ApiRequestBody(BeginSessionDto)
  @ApiEnvelopeResponse({
    operationId: 'previewSession',
    summary: 'See what a session would be',
    description:
      'Says which session `beginSession` would begin with the same credential, and which one it would replace, ' +
      'so that a person can decide before a link signs them in. Nothing is changed: a one-time link can still be used.',
    status: 200,
    message: 'Session preview',
    data: SessionPreviewDto,
  })
  preview(@CurrentCaller() caller: Caller, @Req() request: Request, @Body() body: BeginSessionDto) {
    return this.sessions.preview(caller, { ...body, replaced: this.cookie.read(request) });
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
    this.cookie.clear(request);
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
    if (isCurrent) this.cookie.clear(request);
  }
}
