import { Column, Entity, Index, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import type { Dimension } from './call-dimensions';
import { CallRollupState } from './call-rollup-state.entity';

/** A value that calls of a workspace have in a dimension, such as an outcome. */
@Entity('call_values')
@Index(['workspaceId', 'dimension'])
export class CallValue {
  /** The hash of the other columns, so that no statement has to look it up. */
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => CallRollupState, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn({ name: 'workspace_id', referencedColumnName: 'workspaceId' })
  state: CallRollupState;

  @Column('text') dimension: Dimension;

  /** '' for calls that have none. */
  @Column('text') value: string;
}
