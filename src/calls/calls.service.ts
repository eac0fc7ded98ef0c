import { Inject, Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { agentNotFound, agentSwitchedOff } from '../agents/agents.errors';
import type { Caller } from '../common/access';
import { CONFIG, type Config } from '../config';
import { Sql } from '../database/sql';
import { acceptCall } from './accept-call';
import { CallDispatcher } from './call-dispatcher';
import type { StartCallDto, StartedCallDto } from './calls.dto';
import { insufficientCredits } from './calls.errors';
import type { CallRequest } from './conversation.entity';
import type { AcceptedCall } from './start-call.sql';

@Injectable()
export class CallsService {
  constructor(
    private readonly sql: Sql,
    private readonly dispatcher: CallDispatcher,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async start(caller: Caller, agentId: string, body: StartCallDto): Promise<StartedCallDto> {
    const call = await this.accept(caller, agentId, body);
    await this.dispatcher.dispatch(call);
    return { conversation_id: call.id, call_status: 'queued' };
  }

  private async accept(
    { workspaceId, userId }: Caller,
    agentId: string,
    body: StartCallDto,
  ): Promise<AcceptedCall> {
    if (!isUUID(agentId)) throw agentNotFound();
    const request: CallRequest = {
      greeting: body.greeting ?? '',
      dynamic_variables: body.dynamic_variables ?? {},
      customer_name: body.customer_name ?? '',
      webhook_url: body.webhook_url ?? '',
      external_id: body.external_id ?? '',
      memory_id: body.memory_id ?? '',
      style: body.style ?? '',
    };
    const accepted = await acceptCall(this.sql, {
      workspaceId,
      agentId,
      userId,
      campaignId: null,
      callType: body.call_type,
      direction: body.direction,
      channel: body.channel ?? null,
      toNumber: body.to_number ?? '',
      request,
      ttlSeconds: this.config.CALL_TTL_SECONDS,
    });
    if (accepted === 'no agent') throw agentNotFound();
    if (accepted === 'agent off') throw agentSwitchedOff();
    if (accepted === 'no credits') throw insufficientCredits();
    return accepted;
  }
}
