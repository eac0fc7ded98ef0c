import { createAgent } from '../support/agents';
import { outcome } from '../support/answers';
import { AgentCalls } from '../support/calls';
import { ModelServer } from '../support/model-server';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const AT = '2026-01-31T09:30:08.000Z';
const AGENT = {
  prompt: 'Be kind to {{customer_name}}.',
  llmConfig: { provider: 'openai', model: 'small', temperature: 0.3, maxTokens: 60 },
};

describe('A prompt that is tried on a call', () => {
  let model: ModelServer;
  let parley: TestParley;
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let agentId: string;
  let callId: string;

  beforeAll(async () => {
    model = await ModelServer.start([['Monday ', 'at nine.'], ['Goodbye.'], [], []]);
    parley = await TestParley.start({ LLM_BASE_URL: model.url });
    worker = await TestWorker.start(parley);
    workspace = await parley.workspace();
    agentId = await createAgent(workspace, AGENT);
    const calls = new AgentCalls(workspace.api, agentId);
    callId = await calls.start({ customer_name: 'Ada' });
    const call = await (await worker.findOffer(callId)).take();
    await call.connected();
    const texts = [
      'Hello, how can I help?',
      'An appointment, please.',
      'Let me see. Monday at nine?',
      'Fine. Bye.',
    ];
    await call.transcript(
      texts.map((text, index) => ({
        sequence: index + 1,
        speaker: index % 2 ? 'user' : 'agent',
        text,
        started_at: AT,
      })),
    );
    await call.ended();
    await calls.reached(callId, 'disconnected');
    await until(async () => {
      const { body } = await workspace.api.get(`/api/calls/${callId}/transcript`);
      return (body.data.turns as object[]).length === texts.length;
    });
  });

  afterAll(async () => {
    await worker.stop();
    await parley.stop();
    model.stop();
  });

  const run = (fields: object = {}, api = workspace.api) =>
    api.post(`/api/agents/${agentId}/trials`, {
      call_id: callId,
      prompt: 'Be short, {{customer_name}}.',
      ...fields,
    });

  test('answers each turn of the person beside what the agent had said', async () => {
    const { status, body } = await run();

    expect({ status, data: body.data as object }).toMatchObject({
      status: 200,
      data: { provider: 'openai', model: 'small', missing: null, truncated: false },
    });
    expect(body.data.turns).toMatchObject([
      { sequence: 2, user: 'An appointment, please.', agent: 'Let me see. Monday at nine?' },
      { sequence: 4, user: 'Fine. Bye.', agent: null },
    ]);
    const answers = (body.data.turns as { answer: string }[]).map(({ answer }) => answer);
    expect(answers.sort()).toEqual(['Goodbye.', 'Monday at nine.']);
    // The requests are sent at once, and come in any order.
    const [first] = [...model.requests].sort((a, b) => a.messages.length - b.messages.length);
    expect(first).toMatchObject({ model: 'small', temperature: 0.3, max_tokens: 60 });
    expect(first?.messages).toEqual([
      { role: 'system', content: 'Be short, Ada.' },
      { role: 'assistant', content: 'Hello, how can I help?' },
      { role: 'user', content: 'An appointment, please.' },
    ]);
    const { body: audit } = await workspace.api.get('/api/audit?action=agent.prompt_tried');
    expect(audit.data).toMatchObject([{ target: { id: agentId }, details: { call_id: callId } }]);
    expect(JSON.stringify(audit.data)).not.toContain('Be short');
  });

  test('says why a turn has no answer', async () => {
    const { body } = await run();
    expect(body.data.turns).toMatchObject([
      { answer: null, problem: expect.stringContaining('The model answered nothing') as string },
      { answer: null },
    ]);
  });

  test('names the setting without which the model of the call cannot be asked', async () => {
    const other = await createAgent(workspace, { llmConfig: { provider: 'groq' } });
    const id = await new AgentCalls(workspace.api, other).start();
    const { body } = await workspace.api.post(`/api/agents/${other}/trials`, { call_id: id, prompt: 'x' });
    expect(body.data).toMatchObject({ provider: 'groq', missing: 'GROQ_BASE_URL', turns: [] });
  });

  test('needs an admin, a call of this agent, and is limited in a day', async () => {
    for (const scope of ['read', 'operate'])
      expect((await run({}, parley.scoped(workspace, scope))).status).toBe(403);
    const other = await createAgent(workspace, AGENT);
    const id = await new AgentCalls(workspace.api, other).start();
    expect(await outcome(run({ call_id: id }))).toMatchObject({ status: 404 });
    expect((await run({}, (await parley.workspace()).api)).status).toBe(404);

    await parley.sql(
      `INSERT INTO audit_entries (workspace_id, actor_kind, actor_id, actor_name, action, target_kind, details)
       SELECT $1, 'key', '', '', 'agent.prompt_tried', 'agent', '{}' FROM generate_series(1, 200)`,
      [workspace.workspaceId],
    );
    expect((await run()).body).toMatchObject({ error_code: 'TRIALS_LIMIT_REACHED' });
  });
});
