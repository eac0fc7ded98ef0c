import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Campaign } from './campaign.entity';

/**
 * A zone of a campaign's recipients, and the window that is open there or opens next. All recipients of the zone
 * share the row, so that a change of the windows changes a few rows.
 */
@Entity('campaign_zones')
export class CampaignZone {
  @PrimaryColumn('uuid') campaignId: string;

  @ManyToOne(() => Campaign, { nullable: false, onDelete: 'CASCADE' }) campaign: Campaign;

  /** '': the zone of the campaign. */
  @PrimaryColumn('text') timezone: string;

  @Column({ type: 'timestamptz', precision: 3, default: '-infinity' }) opensAt: Date;

  /** Calls to the zone expire at this time. When it is over, the runner computes the next window. */
  @Column({ type: 'timestamptz', precision: 3, default: 'infinity' }) closesAt: Date;
}
