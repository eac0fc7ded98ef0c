import { Body, Controller, Delete, Get, Post, Req } from '@nestjs/common';
import { ApiSecurity, ApiTags } from '@nestjs/swagger';
import type { Request } from 'express';
import { type Caller, CurrentCaller, ScopeFiltered, SignIn } from '../http/access';
import { Audited } from '../http/audited';
import { ApiEnvelopeResponse } from '../http/envelope';
import { ApiRequestBody } from '../http/request-body';
import { quotaReached } from '../workspaces/workspaces.errors';
import { BeginSessionDto, SessionDto } from './auth.dto';
import { sessionNotFound } from './auth.errors';
import { clearSessionCookie, setSessionCookie } from './session-cookie';
import { SessionsService } from './sessions.service';

@ApiTags('Credentials')
@Controller('api/session')
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Post()
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
    const session = await this.sessions.begin(caller, body);
    setSessionCookie(request, session);
    return this.sessions.show(session.caller);
  }

  @Get()
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

  @Delete()
  @ScopeFiltered()
  @Audited('session.ended', ({ caller }) => ({ id: caller.credential.sessionId ?? null }))
  @ApiEnvelopeResponse({
    operationId: 'endSession',
    summary: 'End the session',
    description: 'Ends the session of the cookie at once, and removes the cookie.',
    status: 200,
    message: 'Session ended',
    errors: [sessionNotFound()],
  })
  async end(@CurrentCaller() caller: Caller, @Req() request: Request) {
    await this.sessions.end(caller);
    clearSessionCookie(request);
  }
}
