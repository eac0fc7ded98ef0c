import { Column, Entity, Index, PrimaryColumn } from 'typeorm';

/**
 * A recipient is called at most once: the transaction that accepts the call writes `conversationId`, and the runner
 * selects rows without it only.
 */
@Entity('campaign_recipients')
@Index('campaign_recipients_to_call', ['campaignId', 'rowNumber'], { where: 'conversation_id IS NULL' })
@Index('campaign_recipients_conversation', ['conversationId'], {
  unique: true,
  where: 'conversation_id IS NOT NULL',
})
export class CampaignRecipient {
  /** No foreign key, which would take longer than the rest of an import. A trigger deletes with the campaign. */
  @PrimaryColumn('uuid') campaignId: string;

  /** E.164, unique in the campaign. */
  @PrimaryColumn('text') phoneNumber: string;

  /** The row in the file. The recipients are called in this order. */
  @Column('integer') rowNumber: number;

  @Column('text') customerName: string;

  @Column('jsonb') dynamicVariables: Record<string, string>;

  /** The call; null until it is accepted. */
  @Column('uuid', { nullable: true }) conversationId: string | null;
}
