import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { literals } from '../../../platform/database/closed-list';
import {
  RECIPIENT_STATUS,
  RECIPIENT_STATUSES,
  type RecipientStatus,
  SKIP_REASONS,
  type SkipReason,
} from '../plan/campaign-status';

/**
 * A recipient has one call at a time: the transaction that accepts the call moves the recipient to `calling`, under the
 * lock of the campaign. Every move is made by `recipient-moves.sql.ts`, which also counts.
 */
@Entity('campaign_recipients')
@Index('campaign_recipients_pending', ['campaignId', 'timezone', 'rowNumber'], {
  where: `status = '${RECIPIENT_STATUS.pending}'`,
})
@Index('campaign_recipients_retrying', ['campaignId', 'timezone', 'nextAttemptAt'], {
  where: `status = '${RECIPIENT_STATUS.retrying}'`,
})
@Index('campaign_recipients_in_calls', ['campaignId', 'status'], {
  where: `status IN ('${RECIPIENT_STATUS.calling}', '${RECIPIENT_STATUS.lost}')`,
})
@Index('campaign_recipients_conversation', ['conversationId'], {
  unique: true,
  where: 'conversation_id IS NOT NULL',
})
@Check('campaign_recipients_status_known', `status IN (${literals(RECIPIENT_STATUSES)})`)
@Check('campaign_recipients_skipped_known', `skipped IN (${literals(SKIP_REASONS)})`)
export class CampaignRecipient {
  /** No foreign key, which would take longer than the rest of an import. A trigger deletes with the campaign. */
  @PrimaryColumn('uuid') campaignId: string;

  /** E.164, unique in the campaign; `#` and the row once the person was erased. */
  @PrimaryColumn('text') phoneNumber: string;

  /** The row in the file. The recipients of a zone are called in this order. */
  @Column('integer') rowNumber: number;

  @Column('text') customerName: string;

  @Column('jsonb') dynamicVariables: Record<string, string>;

  /** The last call; null until one was accepted. */
  @Column('uuid', { nullable: true }) conversationId: string | null;

  /** Why no call is made; set if and only if the recipient is skipped. */
  @Column('text', { nullable: true }) skipped: SkipReason | null;

  @Column('text', { default: RECIPIENT_STATUS.pending }) status: RecipientStatus;

  /** The recipient's own zone; '': that of the campaign. */
  @Column('text', { default: '' }) timezone: string;

  /** Calls so far, without those that were taken back before a runtime claimed them. */
  @Column('smallint', { default: 0 }) attempts: number;

  /** The time when a retry is due. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) nextAttemptAt: Date | null;

  /** No further attempt after the call that is under way. */
  @Column('boolean', { default: false }) removed: boolean;
}
