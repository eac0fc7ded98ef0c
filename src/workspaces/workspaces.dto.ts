import { DateTimeField, IntegerField } from '../common/fields';
import { TextField } from '../common/text-fields';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus, type Workspace } from './workspace.entity';

export class WorkspaceDto {
  @TextField() workspaceId: string;
  @TextField() name: string;
  @IntegerField({ description: 'Free credits: those held by calls under way are already taken off.' })
  credits: number;
  @TextField({ choices: SUBSCRIPTION_STATUSES }) subscription: SubscriptionStatus;
  @DateTimeField() createdAt: Date;
}

export const presentWorkspace = (workspace: Workspace): WorkspaceDto => ({
  workspaceId: workspace.id,
  name: workspace.name,
  credits: workspace.credits,
  subscription: workspace.subscriptionStatus,
  createdAt: workspace.createdAt,
});
