import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from '../auth/api-keys.service';
import { WorkspacesService } from '../workspaces/workspaces.service';

export interface Demo {
  workspaceId: string;
  apiKey: string;
}

/** Creates a workspace in an empty database, so that calls can be made at once. null: there is a workspace. */
export async function createDemo(app: INestApplicationContext): Promise<Demo | null> {
  const workspaces = app.get(WorkspacesService, { strict: false });
  const workspace = await workspaces.createFirst({ name: 'Demo', credits: 1_000, subscribed: true });
  if (!workspace) return null;
  const { workspaceId, userId } = workspace;
  const { apiKey } = await app.get(ApiKeysService, { strict: false }).create(workspaceId, userId);
  return { workspaceId, apiKey };
}
