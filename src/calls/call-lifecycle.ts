import { Inject, Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { CONFIG, type Config } from '../config';
import { type Statement, Sql } from '../database/sql';
import { type Claimed, type ClaimRefused, MESSAGE_TYPES } from '../messaging/wire';
import { addWebhookEvents } from '../webhooks/add-webhook-event.sql';
import type { CallEndedDto, CallEventDto, CallFailedDto, ClaimDto } from './call-events.dto';
import { CALL_EVENT_COLUMNS, callEvents } from './call-webhooks.sql';
import { CORRECT_END, CORRECT_FAILURE, END_AFTER_CONNECT, FAIL_BEFORE_CONNECT } from './end-call.sql';
import { type HeldCall, WorkerCommands } from './worker-commands';

/**
 * The one point where a call becomes real: of all who ask, one finds the row `queued`. The same claim asked again
 * (its reply was lost, or the broker gave the request out twice) gets the same token.
 */
const CLAIM: Statement = {
  name: 'claim-call',
  text: `
    UPDATE conversations SET status = 'accepted', claim_id = $2, worker_id = $3, token = COALESCE(token, $4),
           accepted_at = COALESCE(accepted_at, now()), heartbeat_at = now()
    WHERE id = $1 AND ((status = 'queued' AND expires_at > now()) OR (status = 'accepted' AND claim_id = $2))
    RETURNING token`,
};

const CONNECT: Statement = {
  name: 'connect-call',
  text: `
    WITH connected AS (
      UPDATE conversations SET status = 'connected', heartbeat_at = now(),
             connected_at = LEAST(GREATEST($3::timestamptz, accepted_at), now())
      WHERE id = $1 AND token = $2 AND status = 'accepted'
      RETURNING ${CALL_EVENT_COLUMNS}
    )
    ${addWebhookEvents(callEvents('connected'))}`,
};

const HEARTBEAT: Statement = {
  name: 'call-heartbeat',
  text: `
    UPDATE conversations SET heartbeat_at = now()
    WHERE id = $1 AND token = $2 AND status IN ('accepted', 'connected')
    RETURNING worker_id AS "workerId", hangup_requested_at AS "hangupRequestedAt"`,
};

/**
 * What runtimes do to a call. Every step is one statement that names the status it starts from, so an event that
 * comes late, twice, out of order or with a stranger's token finds no row and changes nothing.
 */
@Injectable()
export class CallLifecycle {
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
      const reason = 'The call is not queued: another worker has it, or it was cancelled, or it has expired.';
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
    const [call] = await this.sql.run<HeldCall>(HEARTBEAT, [conversation_id, token]);
    if (call?.hangupRequestedAt) await this.commands.hangUp(call.workerId, conversation_id);
  }

  async ended(event: CallEndedDto): Promise<void> {
    await this.end(END_AFTER_CONNECT, CORRECT_END, [
      event.conversation_id,
      event.token,
      event.connected_at,
      event.occurred_at,
      event.disconnect_reason,
      event.disconnected_by,
      event.summary,
      event.process_compliance,
      event.outcome,
    ]);
  }

  failed({ conversation_id, token, disconnect_reason, disconnected_by }: CallFailedDto): Promise<void> {
    const values = [conversation_id, token, disconnect_reason, disconnected_by];
    return this.end(FAIL_BEFORE_CONNECT, CORRECT_FAILURE, values);
  }

  /** A runtime that was taken for lost may have been cut off only: its late report tells how the call really ended. */
  private async end(ending: Statement, correction: Statement, values: unknown[]): Promise<void> {
    const ended = await this.sql.run(ending, values);
    if (ended.length === 0) await this.sql.run(correction, values);
  }
}
