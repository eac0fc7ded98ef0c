import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { ACTOR_KINDS, type ActorKind } from '../../platform/http/actor';
import type { ChangeDetails } from '../../platform/http/change-record';
import { Workspace } from '../workspaces/workspace.entity';
import type { AuditAction, TargetKind } from './audit-actions';

/**
 * The record of one change and its actor. The transaction of the change writes it, and no code changes it. It
 * refers to nothing but its workspace, so that it outlives its actor and its target. The indexes serve the filters
 * that match few of many entries.
 */
@Entity('audit_entries')
@Check('audit_entries_actor_known', `actor_kind = ANY ('{${ACTOR_KINDS.join()}}')`)
@Index(['workspaceId', 'createdAt', 'id'])
@Index(['workspaceId', 'targetId', 'createdAt', 'id'])
@Index(['workspaceId', 'actorId', 'createdAt', 'id'])
@Index(['workspaceId', 'requestId'])
export class AuditEntryRow {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  @Column('text') actorKind: ActorKind;

  @Column('text') actorId: string;

  @Column('text') actorName: string;

  @Column('text') action: AuditAction;

  @Column('text') targetKind: TargetKind;

  @Column('text', { nullable: true }) targetId: string | null;

  @Column('text', { nullable: true }) targetName: string | null;

  @Column('jsonb') details: ChangeDetails;

  @Column('text', { nullable: true }) requestId: string | null;

  @Column('text', { nullable: true }) ip: string | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
