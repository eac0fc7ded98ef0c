import {
  Check,
  Column,
  CreateDateColumn,
  Entity,
  Index,
  JoinColumn,
  ManyToOne,
  PrimaryColumn,
} from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { workspaceForeignKey } from '../../platform/database/workspace-foreign-key';
import { Workspace } from '../../accounts/workspaces/workspace.entity';

export const PHONE_NUMBER_TYPES = ['inbound', 'outbound'] as const;
export type PhoneNumberType = (typeof PHONE_NUMBER_TYPES)[number];
export const PHONE_NUMBER_TYPE = byName(PHONE_NUMBER_TYPES);

@Entity('phone_numbers')
@Index(['workspaceId', 'createdAt'])
@Check('phone_numbers_type_known', `type IN (${literals(PHONE_NUMBER_TYPES)})`)
export class PhoneNumber {
  @PrimaryColumn('uuid') id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** E.164. The number belongs to the workspace that added it first. */
  @Index({ unique: true }) @Column('text') number: string;

  /** The agent that answers calls to the number and calls from it. */
  @Index({ unique: true }) @Column('uuid', { nullable: true }) agentId: string | null;

  // The relation is by name, because agents/ imports this folder.
  @ManyToOne('Agent', { nullable: true })
  @JoinColumn(workspaceForeignKey('agent_id'))
  agent: unknown;

  /** `outbound` while an outbound agent has it, else `inbound`. */
  @Column('text', { default: PHONE_NUMBER_TYPE.inbound }) type: PhoneNumberType;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
