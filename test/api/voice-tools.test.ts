import { once } from 'node:events';
import { WebSocket } from 'ws';
import { OpenAiChatStandIn } from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import { createAgent } from '../support/agents';
import { TestParley, type TestWorkspace } from '../support/parley';
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

/** Starts a web call, and joins it in writing. */
async function converse({ api }: Pick<TestWorkspace, 'api'>, agentId: string) {
  const { body } = await api.post(`/api/agents/${agentId}/calls`, { call_type: 'webcall' });
  const socket = new WebSocket(await readJoinUrl(api, body.data));
  await once(socket, 'open');
  const frames: Record<string, unknown>[] = [];
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString())));
  const send = (frame: object) => socket.send(JSON.stringify(frame));
  send({ event: 'start', mediaFormat: null });
  await until(() => frames.some(({ state }) => state === 'listening'));
  return {
    id: body.data.conversation_id as string,
    says: (text: string) => send({ event: 'text', text }),
    hears: (text: string) =>
      until(() => frames.some((frame) => frame.event === 'transcript' && frame.final && frame.text === text)),
    hangUp: async () => {
      send({ event: 'stop' });
      await once(socket, 'close');
    },
  };
}

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

  const { id, says, hears, hangUp } = await converse({ api }, agentId);
  says('A table on Monday.');
  await until(() => shop.holding === 1);
  says('Is it done?');
  await hears('It is under way.');
  shop.release(PATH, 200);
  await hears('It is booked.');
  await hangUp();

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
  expect(timeline).toContain('The call has no such tools: nothing.');
});

test('The fields and criteria of an agent are found by its model, with the turns that show them', async () => {
  const { api } = await parley.workspace();
  const llmConfig = { provider: 'openai', model: 'gpt-4o', temperature: 0, maxTokens: 100 };
  const agentId = await createAgent({ api }, { type: 'chat', greeting: 'May I record this?', llmConfig });
  await api.put(`/api/agents/${agentId}/analysis`, {
    fields: [
      { name: 'result', type: 'string', enum: ['booked', 'none'], description: 'What became of it.' },
      { name: 'persons', type: 'integer', description: 'For how many.' },
      { name: 'day', type: 'date', description: 'For which day.' },
    ],
    criteria: [
      { name: 'consent', text: 'The person agreed to the recording.' },
      { name: 'price', text: 'The agent said the price.' },
    ],
  });
  model.answers.push([{ type: 'text', text: 'It is booked.' }]);
  const consent = { pass: true, turns: [2, 99], reason: 'The person said yes.' };
  const answered = {
    ...{ summary: 'A table was booked.', outcome: 'booked', variables: {} },
    fields: { result: 'booked', persons: '4', day: 'tomorrow', mood: 'fine' },
    criteria: { consent, price: { pass: 'no' } },
  };
  model.conclusions.push('It went well.', JSON.stringify(answered));

  const { id, says, hears, hangUp } = await converse({ api }, agentId);
  says('Yes. A table for four.');
  await hears('It is booked.');
  await hangUp();

  const call = await until(async () => {
    const { data } = (await api.get(`/api/calls/${id}`)).body;
    return data.findings && data;
  });
  expect(call.findings).toEqual({
    fields: {
      result: { value: 'booked', reason: null },
      persons: { value: 4, reason: null },
      day: { value: null, reason: '"tomorrow" is no date' },
    },
    criteria: {
      consent: { pass: true, turns: [2], reason: 'The person said yes.' },
      price: { pass: null, turns: [], reason: 'not reported' },
    },
  });
  expect(call.analysis).not.toHaveProperty('mood');
  const { turns } = (await api.get(`/api/calls/${id}/transcript`)).body.data as {
    turns: { sequence: number; speaker: string; text: string }[];
  };
  const told = turns.map(({ sequence: turn, speaker, text }) => JSON.stringify({ turn, speaker, text }));
  expect(told).toHaveLength(3);
  expect(model.requests.at(-1)?.messages.at(-1)?.content?.split('\n')).toEqual(expect.arrayContaining(told));
  expect(model.conclusions).toEqual([]);
  expect(model.complaints).toEqual([]);
});
