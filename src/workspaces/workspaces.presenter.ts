import type { Workspace } from './workspace.entity';
import type { WorkspaceDto } from './workspaces.dto';

export const presentWorkspace = (workspace: Workspace): WorkspaceDto => ({
  workspaceId: workspace.id,
  name: workspace.name,
  credits: workspace.credits,
  callsUnderWay: workspace.callsUnderWay,
  subscription: workspace.subscriptionStatus,
  createdAt: workspace.createdAt,
});
