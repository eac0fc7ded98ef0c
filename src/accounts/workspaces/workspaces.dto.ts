import { PageQuery } from '../../platform/http/pagination';
import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../../platform/validation/example';
import { DateTimeField, IntegerField } from '../../platform/validation/fields';
import { TextsField } from '../../platform/validation/item-fields';
import { TextField } from '../../platform/validation/text-fields';
import { CREDIT_ENTRY_KINDS, type CreditEntryKind } from './credit-entry.entity';
import { MAX_BYTES, QUOTA_NAMES, QUOTA_SOURCES, type QuotaName, type QuotaSource } from './quotas';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from './workspace.entity';

@Example({
  workspaceId: EXAMPLE_IDS.workspace,
  name: 'Demo',
  credits: 1_000,
  callsUnderWay: 2,
  subscription: 'active',
  createdAt: EXAMPLE_TIME,
})
export class WorkspaceDto {
  @TextField() workspaceId: string;
  @TextField() name: string;
  @IntegerField({ description: 'The free credits, without those that calls in progress hold.' })
  credits: number;
  @IntegerField({ description: 'The calls that have not ended.' }) callsUnderWay: number;
  @TextField({ choices: SUBSCRIPTION_STATUSES }) subscription: SubscriptionStatus;
  @DateTimeField() createdAt: Date;
}

const optional = true;

export class ListCreditEntriesQuery extends PageQuery {
  @TextsField({
    optional,
    repeatable: true,
    maxItems: CREDIT_ENTRY_KINDS.length,
    choices: CREDIT_ENTRY_KINDS,
  })
  kind?: CreditEntryKind[];
  @DateTimeField({ optional, description: 'Created at this time or later.' }) start_date?: Date;
  @DateTimeField({ optional, endOfDay: true, description: 'Created at this time or earlier.' })
  end_date?: Date;
}

@Example({
  id: '4711',
  at: EXAMPLE_TIME,
  kind: 'charge',
  amount: -3,
  balance: 997,
  call_id: EXAMPLE_IDS.conversation,
  customer_name: 'Ada',
  customer_number: '+15551234567',
})
export class CreditEntryDto {
  @TextField() id: string;
  @DateTimeField() at: Date;
  @TextField({
    choices: CREDIT_ENTRY_KINDS,
    description:
      '`grant`: credits were added. `hold`: a call was accepted. `release`: its hold was given back when it ' +
      'ended. `charge`: what it cost. `correction`: of the charge, after a late report.',
  })
  kind: CreditEntryKind;
  @IntegerField({ description: 'Credits. Negative if they were taken.' }) amount: number;
  @IntegerField({ description: 'The free credits after the entry.' }) balance: number;
  @TextField({ nullable: true }) call_id: string | null;
  @TextField({
    nullable: true,
    description: 'The name of the person of the call. null: there is no call, or it was deleted.',
  })
  customer_name: string | null;
  @TextField({ nullable: true, description: 'The number of the person of the call.' })
  customer_number: string | null;
}

@Example({ name: 'agents', limit: 1_000, used: 12, set_by: 'default' })
export class QuotaDto {
  @TextField({
    choices: QUOTA_NAMES,
    description:
      '`recipients`: those of campaigns that have not ended and are still to be called. `credits_per_day`: by UTC.',
  })
  name: QuotaName;
  @IntegerField({ max: MAX_BYTES, nullable: true, description: 'null: unlimited.' }) limit: number | null;
  @IntegerField({
    max: MAX_BYTES,
    nullable: true,
    description: 'null: each process counts its own, as it does requests.',
  })
  used: number | null;
  @TextField({ choices: QUOTA_SOURCES }) set_by: QuotaSource;
}
