import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { CallValue } from './call-value.entity';

/** The changes of a value's rollups by late reports since its segments were counted. */
@Entity('call_value_corrections')
export class CallValueCorrection {
  @PrimaryColumn('uuid') valueId: string;

  @ManyToOne(() => CallValue, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'value_id' })
  value: CallValue;

  /** The quarter of an hour of the corrected calls: a statement cannot see a segment that was added since it began. */
  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  /** Differences, which may be negative. */
  @Column('integer') connected: number;

  @Column('integer') failed: number;

  @Column('bigint') seconds: string;

  @Column('bigint') credits: string;
}
