import { Body, Controller, Post, Req, Res, UseGuards } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import type { Request, Response } from 'express';
import { type Caller, CurrentCaller, ScopeFiltered } from '../../platform/http/access';
import { plainAddress } from '../../platform/http/client-network';
import { Traceparent } from '../../platform/http/traceparent';
import { McpEndpoint } from './mcp-endpoint';
import { OwnAddressGuard } from './own-address.guard';

/** Other methods than POST are answered with 405, because no session and no stream is kept. */
@ApiExcludeController()
@Controller('mcp')
export class McpController {
  constructor(private readonly endpoint: McpEndpoint) {}

  @Post()
  // Each tool decides by the scopes whether it is offered and what it reaches.
  @ScopeFiltered({ changesNothing: true })
  @UseGuards(OwnAddressGuard)
  async answer(
    @CurrentCaller() caller: Caller,
    @Traceparent() traceparent: string,
    @Body() message: object,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const answer = await this.endpoint.answer(request, message, {
      caller,
      traceparent,
      requestId: request.id as string,
      ip: plainAddress(request.ip),
      response,
    });
    // A tool has one result, so the answer ends by itself.
    const body = await answer.text();
    response.status(answer.status).set('Cache-Control', 'no-store');
    const type = answer.headers.get('content-type');
    if (type !== null) response.type(type);
    response.end(body);
  }
}
