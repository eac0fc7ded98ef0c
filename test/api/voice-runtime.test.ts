import { once } from 'node:events';
import { WebSocket } from 'ws';
import { createAgent } from '../support/agents';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { readJoinUrl } from '../support/web-calls';

const parley = useOwnParley({
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

test('The next web call of a workspace gets the place of one whose connection is lost', async () => {
  const workspace = await parley.workspace();
  const calls = await joinable(workspace, await startWebCalls(workspace, 3), 3);
  const sockets: WebSocket[] = [];
  for (const id of calls) sockets.push(await join(workspace, id));
  const reached = (id: string, wanted: string) =>
    until(async () => {
      const { status, disconnect_reason } = await readCall(workspace, id);
      return [status, disconnect_reason].includes(wanted);
    });
  for (const id of calls) await reached(id, 'connected');

  const [lost = ''] = calls;
  sockets[0]?.terminate();
  // It is noticed a moment later.
  const next = await until(async () => {
    const [id = ''] = await startWebCalls(workspace, 1);
    return join(workspace, id).then(
      (socket) => ({ id, socket }),
      () => undefined,
    );
  });
  await reached(next.id, 'connected');
  await reached(lost, 'user_hangup');

  const { body } = await workspace.api.get(`/api/calls/${lost}/timeline`);
  const warnings = (body.data as { kind: string; text: string }[]).filter(({ kind }) => kind === 'warning');
  expect(warnings.map(({ text }) => text)).toContainEqual(
    expect.stringContaining('the next call of the workspace got the place'),
  );
  const others = await Promise.all(calls.slice(1).map((id) => readCall(workspace, id)));
  expect(others.map(({ status }) => status)).toEqual(['connected', 'connected']);
  for (const socket of [...sockets.slice(1), next.socket]) socket.send(JSON.stringify({ event: 'stop' }));
  for (const id of [...calls, next.id]) await reached(id, 'user_hangup');
});

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
