import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import type { ApiError } from '../http/errors';
import { Sql } from '../database/sql';
import { callEnded, conversationNotFound } from './calls.errors';
import type { HangUpDto } from './calls.dto';
import type { Conversation } from './conversation.entity';
import { CANCEL_QUEUED } from './end-call.sql';
import { FIND_STATUS, REQUEST_HANG_UP } from './hang-up.sql';
import { WorkerCommands } from './worker-commands';

type RequestedHangUp = Pick<Conversation, 'status'> & { workerId: string };

/** Ends calls from outside. */
@Injectable()
export class HangUpService {
  constructor(
    private readonly sql: Sql,
    private readonly commands: WorkerCommands,
  ) {}

  /**
   * Cancels a call that no runtime has claimed, which is fenced like every cancel; else asks the runtime that holds it
   * to hang up. The request stays with the call, and each heartbeat of a runtime that has not heard it repeats it. Calls
   * of an agent that was deleted meanwhile can be hung up too.
   */
  async hangUp(workspaceId: string, agentId: string, id: string): Promise<HangUpDto> {
    if (!isUUID(agentId) || !isUUID(id)) throw conversationNotFound();
    const call = [workspaceId, agentId, id];
    const [cancelled] = await this.sql.run(CANCEL_QUEUED, call);
    if (cancelled) return { conversation_id: id, status: 'failed', hangup: 'cancelled' };

    const [held] = await this.sql.run<RequestedHangUp>(REQUEST_HANG_UP, call);
    if (!held) throw await this.refusal(call);
    const isSent = await this.commands.hangUp(held.workerId, id);
    return { conversation_id: id, status: held.status, hangup: isSent ? 'sent' : 'pending' };
  }

  private async refusal(call: string[]): Promise<ApiError> {
    const [ended] = await this.sql.run<Pick<Conversation, 'status'>>(FIND_STATUS, call);
    return ended ? callEnded(ended.status) : conversationNotFound();
  }
}
