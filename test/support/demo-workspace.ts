import type { ApiClient } from './client';
import { OperatorProcess } from './operator-process';
import { JWT_SECRET, type TestParley } from './parley';

export interface DemoWorkspace {
  workspaceId: string;
  apiKey: string;
  api: ApiClient;
}

/** A workspace with about this many calls that have ended, campaigns and webhooks. */
export async function demoWorkspace(parley: TestParley, calls: number): Promise<DemoWorkspace> {
  const operator = new OperatorProcess({
    DATABASE_URL: parley.database.url,
    JWT_SECRET,
    PUBLIC_URL: parley.url,
  });
  const { workspaceId } = await operator.json('demo', 'seed', '--calls', String(calls));
  const { apiKey } = await operator.json('key', 'create', '--workspace', workspaceId as string);
  await operator.finish();
  const key = apiKey as string;
  return { workspaceId: workspaceId as string, apiKey: key, api: parley.api.with({ 'x-api-key': key }) };
}
