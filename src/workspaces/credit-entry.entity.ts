import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { Workspace } from './workspace.entity';

/** A movement of credits. The balance of a workspace is the sum of its entries. */
@Entity('credit_entries')
@Check('credit_entries_kind_known', `kind IN ('grant', 'hold', 'release', 'charge', 'correction')`)
@Index('credit_entries_once_per_call', ['conversationId', 'kind'], {
  unique: true,
  where: 'conversation_id IS NOT NULL',
})
export class CreditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** The call that moved them; null for what the operator granted. */
  @Column('uuid', { nullable: true }) conversationId: string | null;

  /**
   * `grant` by the operator; `hold` when a call starts; when it ends, `release` of the hold and its `charge`;
   * `correction` of the charge when a runtime that was taken for lost reports the true end.
   */
  @Column('text') kind: 'grant' | 'hold' | 'release' | 'charge' | 'correction';

  @Column('integer') amount: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
