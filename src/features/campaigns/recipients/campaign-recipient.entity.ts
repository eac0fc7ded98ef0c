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
 * A recipient has one call at a time: the transaction that accepts the call moves the recipient to `calling`,
 * under the lock of the campaign. The statements of `recipient-moves.sql.ts` make every move, and count.
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
  /**
   * The column has no foreign key, which would take longer than the rest of an import. A trigger deletes the rows
   * with the campaign.
   */
  @PrimaryColumn('uuid') campaignId: string;

  /** E.164, unique in the campaign. The number of an erased person is replaced by `#` and the row. */
  @PrimaryColumn('text') phoneNumber: string;

  /** The row in the file. The recipients of a zone are called in this order. */
  @Column('integer') rowNumber: number;

  @Column('text') customerName: string;

  @Column('jsonb') dynamicVariables: Record<string, string>;

  /** The last call; null until one was accepted. */
  @Column('uuid', { nullable: true }) conversationId: string | null;

  /** The reason why no call is made; set if and only if the recipient is skipped. */
  @Column('text', { nullable: true }) skipped: SkipReason | null;

  @Column('text', { default: RECIPIENT_STATUS.pending }) status: RecipientStatus;

  /** The recipient's own zone; '': the zone of the campaign. */
  @Column('text', { default: '' }) timezone: string;

  /** The number of calls so far, without calls that were taken back before a runtime claimed them. */
  @Column('smallint', { default: 0 }) attempts: number;

  /** The time when a retry is due. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) nextAttemptAt: Date | null;

  /** Whether no further attempt follows the call that is under way. */
  @Column('boolean', { default: false }) removed: boolean;
}
