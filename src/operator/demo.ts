import type { INestApplicationContext } from '@nestjs/common';
import { ApiKeysService } from '../auth/api-keys.service';
import { WorkspacesService } from '../workspaces/workspaces.service';

export interface Demo {
  workspaceId: string;
  apiKey: string;
}

/** A first workspace on an empty database, so that a newcomer can make a call at once; null where there is one. */
export async function createDemo(app: INestApplicationContext): Promise<Demo | null> {
  const workspaces = app.get(WorkspacesService, { strict: false });
  const workspace = await workspaces.createFirst({ name: 'Demo', credits: 1_000, subscribed: true });
  if (!workspace) return null;
  const { workspaceId, userId } = workspace;
  const { apiKey } = await app.get(ApiKeysService, { strict: false }).create(workspaceId, userId);
  return { workspaceId, apiKey };
}
