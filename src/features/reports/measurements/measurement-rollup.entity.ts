import { Column, Entity, JoinColumn, ManyToOne, PrimaryColumn } from 'typeorm';
import { Workspace } from '../../../accounts/workspaces/workspace.entity';
import type { MeasurementKey } from './call-measurement.entity';

/** In the place of a campaign's id, for calls of no campaign. */
export const NO_CAMPAIGN = '00000000-0000-0000-0000-000000000000';

/** The sum of one measure over the calls of a version of an agent that were created in a quarter of an hour. */
@Entity('measurement_rollups')
export class MeasurementRollup implements MeasurementKey {
  @PrimaryColumn('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' })
  @JoinColumn()
  workspace: Workspace;

  @PrimaryColumn({ type: 'timestamptz', precision: 3 }) startsAt: Date;

  @PrimaryColumn('uuid') agentId: string;

  @PrimaryColumn('integer') agentVersion: number;

  @PrimaryColumn('uuid') campaignId: string;

  @PrimaryColumn('text') measure: string;

  @Column('bigint') amount: string;
}
