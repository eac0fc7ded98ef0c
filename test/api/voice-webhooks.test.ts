import { OpenAiChatStandIn } from '../../packages/voice/test/stand-ins/openai-chat/openai-chat-stand-in';
import { TwilioStandIn } from '../../packages/voice/test/stand-ins/twilio/twilio-stand-in';
import { sign } from '../../packages/voice/test/stand-ins/twilio/call';
import { createAgent } from '../support/agents';
import { TestParley } from '../support/parley';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';

const LIMIT = 3;
/** None of a call at the stand-in. */
const SID = `CA${'1'.repeat(32)}`;
let twilio: TwilioStandIn;
let model: OpenAiChatStandIn;
let proxy: TcpProxy;
let publicUrl: string;
let parley: TestParley;
beforeAll(async () => {
  twilio = await TwilioStandIn.listen();
  model = await OpenAiChatStandIn.listen();
  // The address that the carrier has for the server is known before the server starts.
  proxy = await TcpProxy.to('http://127.0.0.1:9');
  publicUrl = proxy.url.replace(/\/$/, '');
  const { apiUrl: TWILIO_API_URL, accountSid, authToken, number: TWILIO_NUMBER } = twilio;
  parley = await TestParley.start({
    ...{ ROLES: 'http,background,runtime', VOICE_CARRIER: 'twilio', TWILIO_API_URL, TWILIO_NUMBER },
    ...{ TWILIO_ACCOUNT_SID: accountSid, TWILIO_AUTH_TOKEN: authToken },
    ...{ PUBLIC_URL: publicUrl, PUBLIC_REQUESTS_PER_MINUTE: `${LIMIT}`, TRUST_PROXY: 'loopback' },
    ...{ VOICE_SPEECH: 'carrier', VOICE_CAPACITY: '10' },
    ...{ LLM_BASE_URL: model.baseUrl, LLM_API_KEY: model.apiKey ?? '' },
  });
  proxy.aimAt(parley.url);
});
afterAll(async () => {
  await parley.stop();
  await proxy.cut();
  await twilio.close();
  model.close();
});

/** Sends a callback about a call that no process holds. */
const callBack = (address: string, { isForged = false } = {}) =>
  post('/voice/twilio/call-1/status', { CallSid: SID, CallStatus: 'completed' }, address, isForged);

async function post(path: string, fields: Record<string, string>, address: string, isForged = false) {
  const form = new URLSearchParams(fields);
  const signature = sign(isForged ? 'another token' : twilio.authToken, `${publicUrl}${path}`, form);
  const response = await fetch(new URL(path, parley.url), {
    method: 'POST',
    headers: { 'x-twilio-signature': signature, 'x-forwarded-for': address },
    body: form,
  });
  await response.arrayBuffer();
  return response.status;
}

test('The webhooks of a carrier are answered, however many come from one address', async () => {
  const statuses = [];
  for (let sent = 0; sent < 3 * LIMIT; sent++) statuses.push(await callBack('192.0.2.1'));
  expect(statuses).toEqual(statuses.map(() => 204));
  const page = await fetch(new URL('/health/live', parley.url), {
    headers: { 'x-forwarded-for': '192.0.2.1' },
  });
  expect(page.status).toBe(200);
});

test('An address that forges webhooks is refused after as many as it may send other requests, and the others are not', async () => {
  const forge = () => callBack('192.0.2.2', { isForged: true });
  const statuses = [];
  for (let sent = 0; sent <= LIMIT; sent++) statuses.push(await forge());
  expect(statuses).toEqual([403, 403, 403, 429]);
  expect(await callBack('192.0.2.3')).toBe(204);
});

test('A signed webhook is answered, however many were forged from its address', async () => {
  for (let sent = 0; sent <= LIMIT; sent++) await callBack('192.0.2.5', { isForged: true });
  expect(await callBack('192.0.2.5')).toBe(204);
  expect(await callBack('192.0.2.5', { isForged: true })).toBe(429);
});

test('A signed webhook that is refused, such as one about a call that is over, is no forgery', async () => {
  const fields = { CallSid: SID, To: twilio.number, From: '+15551112222' };
  const statuses = [];
  for (let sent = 0; sent < 2 * LIMIT; sent++)
    statuses.push(await post('/voice/twilio/incoming', fields, '192.0.2.4'));
  expect(statuses).toEqual(statuses.map(() => 409));
  expect(await callBack('192.0.2.4')).toBe(204);
});

test('A call that a client starts as incoming fails, and the carrier is asked for nothing, whatever id it has', async () => {
  const workspace = await parley.workspace();
  const agentId = await createAgent(workspace, { greeting: 'Hello.' });
  const before = twilio.requests.length;
  for (const external_id of [SID, '../Conferences/CF1', '../Calls.json?To=%2B19005550123&x=']) {
    const call = { to_number: '+15551239999', direction: 'inbound', external_id };
    const { status, body } = await workspace.api.post(`/api/agents/${agentId}/calls`, call);
    expect(status).toBe(200);
    const { conversation_id: id } = body.data as { conversation_id: string };
    const ended = await until(async () => {
      const { data } = (await workspace.api.get(`/api/calls/${id}`)).body as { data: { ended_at?: string } };
      return data.ended_at && data;
    });
    expect(ended).toMatchObject({
      ...{ status: 'failed', disconnect_reason: 'dial_failed', direction: 'inbound', external_id, charge: 0 },
    });
    const timeline = (await workspace.api.get(`/api/calls/${id}/timeline`)).body.data as { text: string }[];
    expect(timeline.map(({ text }) => text)).toContainEqual(
      expect.stringContaining('No caller waits for this call'),
    );
  }
  expect(twilio.requests.slice(before)).toEqual([]);
});

test('The streams of calls are connected, however many come from one address', async () => {
  const workspace = await parley.workspace();
  const agentId = await createAgent(workspace, { greeting: 'Hello.' });
  const numbers = Array.from({ length: 2 * LIMIT }, (_, index) => `+1555200000${index}`);
  for (const to_number of numbers) {
    twilio.expect(to_number, { hangsUpAfterMs: 1_000 });
    await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number });
  }
  await until(() => twilio.calls.length === numbers.length && twilio.calls.every(({ isOver }) => isOver));
  const shown = twilio.calls.map(({ streams, endedBy }) => ({ streams, endedBy }));
  expect(shown).toEqual(numbers.map(() => ({ streams: 1, endedBy: 'person' })));
});

test('A call whose agent has connected the person with a number lasts, and is charged, until both hang up', async () => {
  const [sales, to_number] = ['+15559998888', '+15552100000'];
  const workspace = await parley.workspace();
  const agentId = await createAgent(workspace, { greeting: '', actions: [`sales tel:${sales}`] });
  model.answers.push([
    { type: 'text', text: 'I am connecting you.' },
    { type: 'tool', name: 'sales', arguments: {} },
  ]);
  twilio.expect(to_number, { says: ['Sales, please'], connectedMs: 2_500 });
  const { body } = await workspace.api.post(`/api/agents/${agentId}/calls`, { to_number });
  const path = `/api/calls/${(body.data as { conversation_id: string }).conversation_id}`;

  const phone = await until(() =>
    twilio.calls.find(({ to, transferredTo }) => to === to_number && transferredTo),
  );
  expect((await workspace.api.get(path)).body.data).toMatchObject({ status: 'connected' });
  const ended = await until(async () => {
    const { data } = (await workspace.api.get(path)).body as { data: { ended_at?: string } };
    return data.ended_at && data;
  });

  expect(phone).toMatchObject({
    transferredTo: sales,
    transferLimit: 3_600,
    endedBy: 'person',
    isOver: true,
  });
  const { duration_sec } = ended as unknown as { duration_sec: number };
  expect(ended).toMatchObject({ disconnect_reason: 'call_transfer', disconnected_by: 'agent', charge: 1 });
  expect(duration_sec).toBeGreaterThanOrEqual(2);
  const timeline = (await workspace.api.get(`${path}/timeline`)).body.data as { text: string }[];
  expect(timeline.map(({ text }) => text)).toEqual(
    expect.arrayContaining([
      `The agent may connect the person with ${sales}, for 1 h 0 min at most.`,
      `The call, which the agent had transferred, ended after ${duration_sec} s.`,
    ]),
  );
});

test('A person on the phone who opts out is on the do-not-call list, and no other number that was said', async () => {
  const { api } = await parley.workspace();
  const llmConfig = { provider: 'openai', model: 'gpt-4o', temperature: 0, maxTokens: 100 };
  const agentId = await createAgent({ api }, { greeting: '', llmConfig });
  const to_number = '+15552000777';
  const other = '+15559990000';
  twilio.expect(to_number, { says: [`Do not call me again, and never call ${other}.`] });
  model.answers.push(
    [{ type: 'tool', name: 'opt_out', arguments: { number: other } }],
    [
      { type: 'text', text: 'You are not called again.' },
      { type: 'tool', name: 'end_call', arguments: {} },
    ],
  );
  const { body } = await api.post(`/api/agents/${agentId}/calls`, { to_number });
  const { conversation_id: id } = body.data as { conversation_id: string };
  const ended = await until(async () => {
    const { data } = (await api.get(`/api/calls/${id}`)).body as { data: { ended_at?: string } };
    return data.ended_at && data;
  });

  expect(ended).toMatchObject({ disconnect_reason: 'agent_hangup', disconnected_by: 'agent' });
  expect((await api.get('/api/do-not-call')).body.data).toMatchObject([
    { phone_number: to_number, source: 'opt_out' },
  ]);
  expect((await api.post(`/api/agents/${agentId}/calls`, { to_number })).body.error_code).toBe('DO_NOT_CALL');
});
