import { Check, Column, CreateDateColumn, Entity, Index, ManyToOne, PrimaryGeneratedColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { Workspace } from './workspace.entity';

/**
 * `grant` by the operator, `hold` when a call is accepted, `release` and `charge` when it ends, and `correction` of the
 * charge if a runtime that was considered lost reports the end later.
 */
export const CREDIT_ENTRY_KINDS = ['grant', 'hold', 'release', 'charge', 'correction'] as const;
export type CreditEntryKind = (typeof CREDIT_ENTRY_KINDS)[number];
export const ENTRY_KIND = byName(CREDIT_ENTRY_KINDS);

/** An entry of the credit ledger. The balance of a workspace is the sum of its entries. */
@Entity('credit_entries')
@Check('credit_entries_kind_known', `kind IN (${literals(CREDIT_ENTRY_KINDS)})`)
@Index('credit_entries_once_per_call', ['conversationId', 'kind'], {
  unique: true,
  where: 'conversation_id IS NOT NULL',
})
export class CreditEntry {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'ALWAYS' }) id: string;

  @Index() @Column('uuid') workspaceId: string;

  @ManyToOne(() => Workspace, { nullable: false, onDelete: 'CASCADE' }) workspace: Workspace;

  /** null for a grant. */
  @Column('uuid', { nullable: true }) conversationId: string | null;

  @Column('text') kind: CreditEntryKind;

  @Column('integer') amount: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
