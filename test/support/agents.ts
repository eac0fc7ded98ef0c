import type { TestWorkspace } from './parley';

/** Creates an agent and returns its id. */
export async function createAgent({ api }: TestWorkspace, fields: object = {}): Promise<string> {
  const { status, body } = await api.post('/api/agents', { type: 'outbound', ...fields });
  if (status !== 200) throw new Error(`Creating an agent answered ${status}: ${JSON.stringify(body)}`);
  return (body as { data: { _id: string } }).data._id;
}
