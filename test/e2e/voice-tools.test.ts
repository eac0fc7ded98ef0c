import { once } from 'node:events';
import { WebSocket } from 'ws';
import { OpenAiChatStandIn } from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import { createAgent } from '../support/agents';
import { TestParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { readJoinUrl } from '../support/web-calls';
import { WebhookReceiver } from '../support/webhook-receiver';

const PATH = '/bookings';
const PARAMETERS = { type: 'object', properties: { day: { type: 'string' } }, required: ['day'] };

const shop = useStarted(() => WebhookReceiver.start());
let model: OpenAiChatStandIn;
let parley: TestParley;
beforeAll(async () => {
  model = await OpenAiChatStandIn.listen();
  parley = await TestParley.start({
    ...{ ROLES: 'http,background,runtime', ALLOW_PRIVATE_ADDRESSES: 'true' },
    ...{ LLM_BASE_URL: model.baseUrl, LLM_API_KEY: model.apiKey ?? '' },
  });
});
afterAll(async () => {
  await parley.stop();
  model.close();
});

test('The tools of an agent are done once, and are told of when they end, also if the person interrupts', async () => {
  const { api } = await parley.workspace();
  const tool = { name: 'book_table', description: 'Books a table.', parameters: PARAMETERS };
  await api.post('/api/tools', { ...tool, url: shop.url(PATH) });
  const llmConfig = { provider: 'openai', model: 'gpt-4o', temperature: 0, maxTokens: 100 };
  const actions = ['book_table', `note ${shop.url('/notes')}`, 'nothing'];
  const agentId = await createAgent({ api }, { type: 'chat', greeting: '', llmConfig, actions });
  shop.hold(PATH);
  model.answers.push(
    [
      { type: 'tool', name: 'book_table', arguments: {} },
      { type: 'tool', name: 'note', arguments: { text: 'A window, please' } },
    ],
    [{ type: 'tool', name: 'book_table', arguments: { day: 'Monday' } }],
    [{ type: 'text', text: 'It is under way.' }],
    [{ type: 'text', text: 'It is booked.' }],
  );

  const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
  const id = body.data.conversation_id as string;
  const socket = new WebSocket(await readJoinUrl(api, body.data));
  await once(socket, 'open');
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString())));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  const hears = (text: string) =>
    until(() => frames.some((frame) => frame.event === 'transcript' && frame.final && frame.text === text));
  send({ event: 'start', mediaFormat: null });
  await until(() => frames.some(({ state }) => state === 'listening'));
  send({ event: 'text', text: 'A table on Monday.' });
  await until(() => shop.holding === 1);
  send({ event: 'text', text: 'Is it done?' });
  await hears('It is under way.');
  shop.release(PATH, 200);
  await hears('It is booked.');
  send({ event: 'stop' });
  await once(socket, 'close');

  const read = (at: number) =>
    model.requests[at]?.messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(model.requests[0]?.tools?.map(({ function: { name } }) => name)).toEqual([
    ...['end_call', 'book_table', 'note'],
  ]);
  const invalid = expect.stringMatching(/^\{"error":"This was not done: .*day/) as string;
  expect(read(1)).toEqual([invalid, 'null']);
  expect(read(2)).toEqual([invalid, 'null', expect.stringContaining('"state":"running"')]);
  expect(read(3)).toEqual([invalid, 'null', 'null']);
  expect(model.complaints).toEqual([]);
  expect([...shop.at(PATH), ...shop.at('/notes')].map(({ payload }) => payload)).toEqual([
    { day: 'Monday' },
    {
      ...{ call_id: id, agent_id: agentId, action: 'note' },
      arguments: { text: 'A window, please' },
    },
  ]);
  await until(async () => (await api.get(`/api/calls/${id}`)).body.data.status === 'disconnected');
  const { turns } = (await api.get(`/api/calls/${id}/transcript`)).body.data as {
    turns: { speaker: string; text: string; tool?: { result: unknown } }[];
  };
  expect(turns.map(({ speaker, text, tool: used }) => used?.result ?? `${speaker}: ${text}`)).toEqual([
    'user: A table on Monday.',
    { error: expect.stringContaining('day') as string },
    ...['tool: note', 'user: Is it done?', 'agent: It is under way.'],
    ...['tool: book_table', 'agent: It is booked.'],
  ]);
  const invocations = (await api.get(`/api/calls/${id}/tools`)).body.data as {
    tool: string;
    state: string;
  }[];
  expect(invocations.map(({ tool: name, state }) => [name, state]).sort()).toEqual([
    ['book_table', 'done'],
    ['note', 'done'],
  ]);
  const timeline = JSON.stringify((await api.get(`/api/calls/${id}/timeline`)).body.data);
  expect(timeline).toContain('There are no such tools: nothing.');
});
