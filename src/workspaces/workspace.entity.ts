import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';

export const SUBSCRIPTION_STATUSES = ['active', 'inactive'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];

const integer = { type: 'integer', nullable: true } as const;

/** What the operator has set for one workspace; null: the installation's default. */
export class Quotas {
  @Column(integer) agents: number | null;

  /** Of extracted text and uploaded files. A bigint, which pg returns as text. */
  @Column({ type: 'bigint', nullable: true }) knowledgeBaseBytes: string | null;

  /** That are neither revoked nor expired. */
  @Column(integer) apiKeys: number | null;

  @Column(integer) phoneNumbers: number | null;

  /** Of campaigns that have not ended, and without a call yet. */
  @Column(integer) recipients: number | null;

  @Column(integer) concurrentCalls: number | null;

  @Column(integer) requestsPerMinute: number | null;

  /** Null: unlimited. */
  @Column(integer) creditsPerDay: number | null;
}

const QUOTA_COLUMNS = [
  'agents',
  'knowledge_base_bytes',
  'api_keys',
  'phone_numbers',
  'recipients',
  'concurrent_calls',
  'requests_per_minute',
  'credits_per_day',
].map((name) => `quotas_${name}`);

@Entity('workspaces')
@Check('workspaces_quotas_not_negative', `LEAST(${QUOTA_COLUMNS.join(', ')}) >= 0`)
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

  @Column(() => Quotas) quotas: Quotas;

  /** The UTC day that `spentCredits` counts. */
  @Column('date', { nullable: true }) spentOn: string | null;

  /** Credits held and charged on that day. */
  @Column('integer', { default: 0 }) spentCredits: number;

  /** Set by the operator: its credentials, calls and campaigns are stopped. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) suspendedAt: Date | null;

  /** Tokens that were issued earlier are refused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) tokensNotBefore: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
