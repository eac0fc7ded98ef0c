import { Check, Column, CreateDateColumn, Entity, PrimaryColumn } from 'typeorm';
import { byName, literals } from '../../platform/database/closed-list';
import { PUBLISH_MODE, PUBLISH_MODES, type PublishMode } from './publish-modes';
import { QUOTA_NAMES, quotaColumn } from './quotas';

export const SUBSCRIPTION_STATUSES = ['active', 'inactive'] as const;
export type SubscriptionStatus = (typeof SUBSCRIPTION_STATUSES)[number];
export const SUBSCRIPTION_STATUS = byName(SUBSCRIPTION_STATUSES);

const integer = { type: 'integer', nullable: true } as const;

/** The limits that the operator set for one workspace. null: the default of the installation. */
export class Quotas {
  @Column(integer) agents: number | null;

  /** Extracted text and uploaded files. A bigint, which pg returns as text. */
  @Column({ type: 'bigint', nullable: true }) knowledgeBaseBytes: string | null;

  /** Recordings that runtimes handed in. */
  @Column({ type: 'bigint', nullable: true }) recordingBytes: string | null;

  /** The valid API keys. */
  @Column(integer) apiKeys: number | null;

  @Column(integer) phoneNumbers: number | null;

  /** The recipients of campaigns in progress that have no call yet. */
  @Column(integer) recipients: number | null;

  @Column(integer) concurrentCalls: number | null;

  @Column(integer) requestsPerMinute: number | null;

  /** null: unlimited. */
  @Column(integer) creditsPerDay: number | null;
}

@Entity('workspaces')
@Check('workspaces_quotas_not_negative', `LEAST(${QUOTA_NAMES.map(quotaColumn).join(', ')}) >= 0`)
@Check('workspaces_subscription_known', `subscription_status IN (${literals(SUBSCRIPTION_STATUSES)})`)
@Check('workspaces_calls_counted', `calls_under_way >= 0`)
@Check('workspaces_publish_known', `publish IN (${literals(PUBLISH_MODES)})`)
export class Workspace {
  @PrimaryColumn('uuid') id: string;

  @Column('text') name: string;

  @Column('text', { default: SUBSCRIPTION_STATUS.active }) subscriptionStatus: SubscriptionStatus;

  /** The sum of the ledger. It can be negative: a call is charged in full if it costs more than its hold. */
  @Column('integer', { default: 0 }) credits: number;

  /** Calls in progress, each of which holds credits. */
  @Column('integer', { default: 0 }) callsUnderWay: number;

  /** The setting of its agents that have none of their own. */
  @Column('text', { default: PUBLISH_MODE.automatic }) publish: PublishMode;

  @Column(() => Quotas) quotas: Quotas;

  /** The UTC day of `spentCredits`. */
  @Column('date', { nullable: true }) spentOn: string | null;

  /** Credits held and charged on that day. */
  @Column('integer', { default: 0 }) spentCredits: number;

  /** While it is set, the credentials, calls and campaigns are stopped. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) suspendedAt: Date | null;

  /** Tokens that were issued before this time are refused. */
  @Column({ type: 'timestamptz', precision: 3, nullable: true }) tokensNotBefore: Date | null;

  @CreateDateColumn({ type: 'timestamptz', precision: 3 }) createdAt: Date;
}
