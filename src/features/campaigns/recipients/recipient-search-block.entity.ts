import { Column, Entity, ManyToOne, PrimaryColumn } from 'typeorm';
import { Campaign } from '../plan/campaign.entity';

/**
 * The number of recipients of a block. Postgres keeps up to 8 kB of them without compression, as the storage of
 * the table says.
 */
export const BLOCK_SIZE = 128;

/**
 * The separator between two recipients, and between the number and the name of an irregular one. Names have spaces
 * instead.
 */
export const RECIPIENT_END = '\x1e';
export const NUMBER_END = '\x1d';

/**
 * The numbers and names of some recipients of a campaign, as texts that a search reads fast. Their numbers are next to
 * each other. Campaigns of an older version have none.
 */
@Entity('recipient_search_blocks')
export class RecipientSearchBlock {
  @PrimaryColumn('uuid') campaignId: string;

  @ManyToOne(() => Campaign, { nullable: false, onDelete: 'CASCADE' }) campaign: Campaign;

  @PrimaryColumn('integer') block: number;

  /** The numbers, one after the other, with a separator between. */
  @Column('text') numbers: string;

  /** The names in lower case, in the order of the numbers. */
  @Column('text') names: string;

  /** The number and the name of each recipient that a search cannot count by the occurrences of a text. */
  @Column('text') irregular: string;
}
