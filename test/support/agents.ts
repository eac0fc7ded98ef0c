import type { TestWorkspace } from './parley';

/** Creates an agent and returns its id. */
export async function createAgent({ api }: Pick<TestWorkspace, 'api'>, fields: object = {}): Promise<string> {
  const { status, body } = await api.post('/api/agents', { type: 'outbound', ...fields });
  if (status !== 200) throw new Error(`Creating an agent answered ${status}: ${JSON.stringify(body)}`);
  return (body as { data: { _id: string } }).data._id;
}

/** The agent's full form. */
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
export async function readAgent({ api }: TestWorkspace, id: string): Promise<any> {
  const { status, body } = await api.get(`/api/agents/${id}`);
  if (status !== 200) throw new Error(`Reading an agent answered ${status}: ${JSON.stringify(body)}`);
  const agents = (body as { data: unknown[] }).data;
  expect(agents).toHaveLength(1);
  return agents[0];
}
