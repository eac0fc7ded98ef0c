import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallValue } from './call-value.entity';

/** The sums over the calls of a segment that have a value; `call_value_corrections` adds to them. */
@Entity('call_value_rollups')
export class CallValueRollup {
  @PrimaryColumn('uuid') valueId: string;

  @ManyToOne(() => CallValue, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'value_id' })
  value: CallValue;

  /** The start of the segment. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  /** The sums are those of `call_rollups`, for the value. */
  @Column('integer') connected: number;

  @Column('integer') failed: number;

  @Column('bigint') seconds: string;

  @Column('bigint') credits: string;
}
