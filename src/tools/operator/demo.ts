import type { INestApplicationContext } from '@nestjs/common';
import { createFirstWorkspace } from './create-workspace';

export interface Demo {
  workspaceId: string;
  apiKey: string;
}

/** Creates a workspace in an empty database, so that calls can be made at once. null: there is a workspace. */
export async function createDemo(app: INestApplicationContext): Promise<Demo | null> {
  const demo = { name: 'Demo', credits: 1_000, subscribed: true };
  const created = await createFirstWorkspace(demo, (type) => app.get(type, { strict: false }));
  return created && { workspaceId: created.workspaceId, apiKey: created.apiKey };
}
