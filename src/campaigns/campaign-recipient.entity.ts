import { Column, Entity, Index, ManyToOne, PrimaryColumn } from 'typeorm';
import { Campaign } from './campaign.entity';

/**
 * Somebody a campaign calls, at most once: `conversationId` is written in the transaction that accepts the call, and
 * from then on nobody finds the row who looks for recipients to call.
 */
@Entity('campaign_recipients')
@Index('campaign_recipients_to_call', ['campaignId', 'rowNumber'], { where: 'conversation_id IS NULL' })
@Index('campaign_recipients_conversation', ['conversationId'], {
  unique: true,
  where: 'conversation_id IS NOT NULL',
})
export class CampaignRecipient {
  @PrimaryColumn('uuid') campaignId: string;

  @ManyToOne(() => Campaign, { nullable: false, onDelete: 'CASCADE' }) campaign: Campaign;

  /** E.164; once in a campaign. */
  @PrimaryColumn('text') phoneNumber: string;

  /** Its row in the file, and so its turn. */
  @Column('integer') rowNumber: number;

  @Column('text') customerName: string;

  @Column('jsonb') dynamicVariables: Record<string, string>;

  /** Its call. */
  @Column('uuid', { nullable: true }) conversationId: string | null;
}
