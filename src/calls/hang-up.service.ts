import { Injectable } from '@nestjs/common';
import { isUUID } from 'class-validator';
import { AgentsService } from '../agents/agents.service';
import { type Statement, Sql } from '../database/sql';
import { callEnded, conversationNotFound } from './calls.errors';
import type { HangUpDto } from './calls.dto';
import type { ConversationStatus } from './conversation.entity';
import { CANCEL_QUEUED } from './end-call.sql';
import { WorkerCommands } from './worker-commands';

/** $1 workspace, $2 agent, $3 id. No row: there is no such call. A row without a worker: no runtime holds it. */
const REQUEST_HANG_UP: Statement = {
  name: 'request-hang-up',
  text: `
    WITH held AS (
      UPDATE conversations SET hangup_requested_at = COALESCE(hangup_requested_at, now())
      WHERE workspace_id = $1 AND agent_id = $2 AND id = $3 AND status IN ('accepted', 'connected')
      RETURNING id, worker_id, status
    )
    SELECT COALESCE(held.status, conversations.status) AS status, held.worker_id AS "workerId"
    FROM conversations LEFT JOIN held USING (id)
    WHERE conversations.workspace_id = $1 AND conversations.agent_id = $2 AND conversations.id = $3`,
};

interface RequestedHangUp {
  status: ConversationStatus;
  workerId: string | null;
}

/** Ends calls from outside. */
@Injectable()
export class HangUpService {
  constructor(
    private readonly sql: Sql,
    private readonly agents: AgentsService,
    private readonly commands: WorkerCommands,
  ) {}

  /**
   * Cancels a call that no runtime has claimed, which is fenced like every cancel; else asks the runtime that holds it
   * to hang up. The request stays with the call, and each heartbeat of a runtime that has not heard it repeats it.
   */
  async hangUp(workspaceId: string, agentId: string, id: string): Promise<HangUpDto> {
    await this.agents.find(workspaceId, agentId);
    if (!isUUID(id)) throw conversationNotFound();
    const call = [workspaceId, agentId, id];
    const [cancelled] = await this.sql.run(CANCEL_QUEUED, call);
    if (cancelled) return { conversation_id: id, status: 'failed', hangup: 'cancelled' };

    const [held] = await this.sql.run<RequestedHangUp>(REQUEST_HANG_UP, call);
    if (!held) throw conversationNotFound();
    if (held.workerId === null) throw callEnded(held.status);
    const isSent = await this.commands.hangUp(held.workerId, id);
    return { conversation_id: id, status: held.status, hangup: isSent ? 'sent' : 'pending' };
  }
}
