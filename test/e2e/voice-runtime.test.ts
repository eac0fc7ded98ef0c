import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createAgent } from '../support/agents';
import { type TestWorkspace, useParley } from '../support/parley';
import { until } from '../support/until';
import { readJoinUrl } from '../support/web-calls';

const parley = useParley({
  ...{ ROLES: 'http,background,runtime', VOICE_CAPACITY: '4' },
  ...{ LLM_BASE_URL: 'http://127.0.0.1:9/v1', GROQ_BASE_URL: 'http://127.0.0.1:9/v1' },
});

async function startWebCalls({ api }: TestWorkspace, count: number): Promise<string[]> {
  const agentId = await createAgent({ api }, { type: 'chat', greeting: 'Good day!' });
  const starts = Array.from({ length: count }, () =>
    api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' }),
  );
  return (await Promise.all(starts)).map(({ body }) => body.data.conversation_id as string);
}

const readCall = async ({ api }: TestWorkspace, id: string) =>
  (await api.get(`/api/calls/${id}`)).body.data as { status: string; disconnect_reason: string | null };

/** The calls that can be joined, once the others have failed as busy. */
async function joinable(workspace: TestWorkspace, ids: string[], count: number): Promise<string[]> {
  return until(async () => {
    const calls = await Promise.all(ids.map(async (id) => ({ id, ...(await readCall(workspace, id)) })));
    const isBusy = (call: (typeof calls)[number]) => call.disconnect_reason === 'dial_busy';
    return (
      calls.filter(isBusy).length === ids.length - count &&
      calls.filter((call) => !isBusy(call)).map(({ id }) => id)
    );
  });
}

async function join({ api }: TestWorkspace, id: string): Promise<WebSocket> {
  const socket = new WebSocket(await readJoinUrl(api, { conversation_id: id, join: null }));
  await once(socket, 'open');
  socket.send(JSON.stringify({ event: 'start', mediaFormat: null }));
  return socket;
}

test('Web calls that nobody joins, and those of one workspace, leave places to other workspaces', async () => {
  const [busy, other] = [await parley.workspace(), await parley.workspace()];
  const waiting = await joinable(busy, await startWebCalls(busy, 8), 3);
  const sockets = [];
  for (const id of waiting) sockets.push(await join(busy, id));
  await until(async () => {
    const calls = await Promise.all(waiting.map((id) => readCall(busy, id)));
    return calls.every(({ status }) => status === 'connected');
  });
  await joinable(busy, await startWebCalls(busy, 2), 0);

  const [first = '', second = ''] = await joinable(other, await startWebCalls(other, 2), 2);
  sockets.push(await join(other, first));
  await until(async () => (await readCall(other, first)).status === 'connected');
  const late = await join(other, second);
  const [code] = (await once(late, 'close')) as [number];

  expect(code).toBe(1000);
  expect(await joinable(other, [second], 0)).toEqual([]);
  for (const socket of sockets) socket.close();
});

test('The language models that the voice runtime can ask are named', async () => {
  const { body } = await (await parley.workspace()).api.get('/api/runtimes');

  expect(body.data.language_models).toEqual(['openai', 'groq']);
});
