import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { byName, literals } from '../../../platform/database/closed-list';
import type { Actor } from '../../../platform/http/actor';
import { Campaign } from './campaign.entity';

export const LOG_EVENTS = [
  'created',
  'begun',
  'paused',
  'resumed',
  'cancelled',
  'changed',
  'recipient_removed',
  'waiting',
  'went_on',
  'expired',
  'completed',
  'failed',
] as const;
export type LogEvent = (typeof LOG_EVENTS)[number];
export const LOG_EVENT = byName(LOG_EVENTS);

/** An event of a campaign. The transaction of the change writes it. */
@Entity('campaign_log')
@Index(['campaignId', 'id'])
@Check('campaign_log_event_known', `event IN (${literals(LOG_EVENTS)})`)
export class CampaignLogEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Column('uuid') campaignId: string;

  @ManyToOne(() => Campaign, { nullable: false, onDelete: 'CASCADE' }) campaign: Campaign;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) at: Date;

  @Column('text') event: LogEvent;

  /** null: the server itself */
  @Column('jsonb', { nullable: true }) actor: Actor | null;

  /** The event in one sentence. */
  @Column('text') text: string;

  @Column('jsonb', { default: {} }) data: object;
}
