import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export const SUBSCRIPTION_STATUSES = ['active', 'inactive'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

@Entity('workspaces')
@Check('workspaces_subscription_known', `subscription_status IN ('active', 'inactive')`)
@Check('workspaces_calls_counted', `calls_under_way >= 0`)
export class Workspace {
  @PrimaryColumn('uuid') id: string;

  @Column('text') name: string;

  @Column('text', { default: 'active' }) subscriptionStatus: SubscriptionStatus;

  /**
   * The sum of the workspace's ledger. Calls hold credits out of it before they start; a call that ran longer than
   * its hold is charged all the same, so it may fall below zero.
   */
  @Column('integer', { default: 0 }) credits: number;

  /** Calls that have not ended, each of which holds credits. */
  @Column('integer', { default: 0 }) callsUnderWay: number;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
