import { Column, Entity, JoinColumn, OneToOne, PrimaryColumn } from 'typeorm';
import { Conversation } from '../../calls/model/conversation.entity';
import type { Amounts } from './call-amounts';

/** The part of the rollups to which a call belongs. */
export interface MeasurementKey {
  workspaceId: string;
  agentId: string;
  agentVersion: number;
  /** {@link NO_CAMPAIGN} if it has none. */
  campaignId: string;
  /** The quarter of an hour in which the call was created. */
  startsAt: Date;
}

/** The amounts that were measured in a call, as they are in the rollups. */
@Entity('call_measurements')
export class CallMeasurement implements MeasurementKey {
  @PrimaryColumn('uuid') conversationId: string;

  @OneToOne(() => Conversation, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  conversation: Conversation;

  @Column('uuid') workspaceId: string;

  @Column('uuid') agentId: string;

  @Column('integer') agentVersion: number;

  @Column('uuid') campaignId: string;

  @Column({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  @Column('jsonb') amounts: Amounts;
}
