import { Inject, Injectable, Logger } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { type Claimed, type ClaimRefused, MESSAGE_TYPES } from '../messaging/wire';
import type { CallEndedDto, CallEventDto, CallFailedDto, ClaimDto } from './call-events.dto';
import { CLAIM, HEARTBEAT } from './claim-call.sql';
import { CONNECT } from './connect-call.sql';
import { type Conversation, PARTIES, WORKER_DISCONNECT_REASONS } from './conversation.entity';
import { CORRECT_END, CORRECT_FAILURE, END_AFTER_CONNECT, FAIL_BEFORE_CONNECT } from './end-call.sql';
import { WorkerCommands } from './worker-commands';

type HeartbeatRow = Pick<Conversation, 'hangupRequestedAt'> & { workerId: string };

/**
 * What runtimes do to a call. Every step is one statement that names the status it starts from, so an event that
 * comes late, twice, out of order or with a stranger's token finds no row and changes nothing.
 */
@Injectable()
export class CallLifecycle {
  private readonly logger = new Logger(CallLifecycle.name);

  constructor(
    private readonly sql: Sql,
    private readonly commands: WorkerCommands,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async claim({
    conversation_id,
    claim_id,
    worker_id,
  }: ClaimDto): Promise<{ type: string; body: Claimed | ClaimRefused }> {
    const [claimed] = await this.sql.run<{ token: string }>(CLAIM, [
      conversation_id,
      claim_id,
      worker_id,
      randomUUID(),
    ]);
    if (!claimed) {
      const reason =
        'The call can not be claimed: another worker has it, it was cancelled or has expired, or its workspace is suspended.';
      return { type: MESSAGE_TYPES.claimRefused, body: { conversation_id, reason } };
    }
    const { token } = claimed;
    return {
      type: MESSAGE_TYPES.claimed,
      body: {
        conversation_id,
        token,
        lease_seconds: this.config.LEASE_SECONDS,
        heartbeat_seconds: this.config.HEARTBEAT_SECONDS,
      },
    };
  }

  async connected({ conversation_id, token, occurred_at }: CallEventDto): Promise<void> {
    await this.sql.run(CONNECT, [conversation_id, token, occurred_at]);
  }

  /** A runtime that has not heard that its call is to be hung up is told again. */
  async heartbeat({ conversation_id, token }: CallEventDto): Promise<void> {
    const [call] = await this.sql.run<HeartbeatRow>(HEARTBEAT, [conversation_id, token]);
    if (call?.hangupRequestedAt) await this.commands.hangUp(call.workerId, conversation_id);
  }

  async ended(event: CallEndedDto): Promise<void> {
    await this.end(END_AFTER_CONNECT, CORRECT_END, [
      event.conversation_id,
      event.token,
      event.connected_at,
      event.occurred_at,
      ...this.causeOf(event),
      event.summary,
      event.process_compliance,
      event.outcome,
    ]);
  }

  failed(event: CallFailedDto): Promise<void> {
    const values = [event.conversation_id, event.token, ...this.causeOf(event)];
    return this.end(FAIL_BEFORE_CONNECT, CORRECT_FAILURE, values);
  }

  /** A runtime that was taken for lost may have been cut off only: its late report tells how the call really ended. */
  private async end(ending: Statement, correction: Statement, values: unknown[]): Promise<void> {
    const ended = await this.sql.run(ending, values);
    if (ended.length === 0) await this.sql.run(correction, values);
  }

  /** The reason and the party, as far as they are known ones. */
  private causeOf({ conversation_id, disconnect_reason, disconnected_by }: CallEndedDto | CallFailedDto) {
    const reason = WORKER_DISCONNECT_REASONS.find((known) => known === disconnect_reason);
    const party = PARTIES.find((known) => known === disconnected_by);
    if (!reason || !party) {
      this.logger.warn(
        {
          conversationId: conversation_id,
          disconnectReason: disconnect_reason,
          disconnectedBy: disconnected_by,
        },
        "A runtime reported an end whose disconnect_reason or disconnected_by is unknown; it is taken as 'error' or 'system'",
      );
    }
    return [reason ?? 'error', party ?? 'system'];
  }
}
