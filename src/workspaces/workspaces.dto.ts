import { Example, EXAMPLE_IDS, EXAMPLE_TIME } from '../validation/example';
import { DateTimeField, IntegerField } from '../validation/fields';
import { TextField } from '../validation/text-fields';
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
