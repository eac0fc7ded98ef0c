import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { contractErrors } from '../support/asyncapi';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { TakenCall, WORKER_ID } from '../support/worker';
import { incomingOverTheWire } from '../support/wire-claims';

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into all of it
type Shown = any;

const CALLER = '+4915112345678';

let last = 5_000_000;
/** A number that no other test uses. */
const nextNumber = () => `+1555${(last += 1)}`;

const incoming = (to_number: string, fields: object = {}) => ({
  claim_id: randomUUID(),
  worker_id: WORKER_ID,
  to_number,
  from_number: CALLER,
  ...fields,
});

async function agentWithNumber(workspace: TestWorkspace, agent: object = {}) {
  const agentId = await createAgent(workspace, { name: 'Front desk', ...agent });
  const number = nextNumber();
  const { status } = await workspace.api.put(`/api/agents/${agentId}/phone-number`, { phone_number: number });
  expect(status).toBe(200);
  return { agentId, number, calls: new AgentCalls(workspace.api, agentId) };
}

const readOutcomes = async (parley: TestParley) => {
  const { body } = await parley.api.raw('/metrics', {});
  const lines = String(body).matchAll(/^incoming_calls_total\{outcome="(\w+)"\} (\d+)$/gm);
  return Object.fromEntries([...lines].map(([, outcome, count]) => [outcome, Number(count)]));
};

describe('An incoming call', () => {
  const parley = useOwnParley();

  test('is answered with its agent, and is a call like any other from then on', async () => {
    const workspace = await parley.workspace({ credits: 10 });
    const { number, agentId, calls } = await agentWithNumber(workspace, {
      greeting: 'Hello {{name}}!',
      prompt: 'Help {{name}}.',
    });

    const answer = await incomingOverTheWire(
      parley,
      incoming(number, { dynamic_variables: { name: 'Ada' }, external_id: 'sip-1' }),
    );

    expect(answer.type).toBe(MESSAGE_TYPES.incomingAccepted);
    expect(contractErrors(answer)).toEqual([]);
    const { conversation_id: id, token, call } = answer.body as Shown;
    expect(answer.body).toMatchObject({ lease_seconds: 30, heartbeat_seconds: 10 });
    expect(call).toMatchObject({
      conversation_id: id,
      workspaceId: workspace.workspaceId,
      agent_id: agentId,
      campaign_id: null,
      call_type: 'phonecall',
      direction: 'inbound',
      channel: 'voice',
      to_number: number,
      from_number: CALLER,
      greeting: 'Hello Ada!',
      external_id: 'sip-1',
      agent: { prompt: 'Help Ada.' },
    });
    expect(await calls.conversation(id)).toMatchObject({ status: 'accepted' });
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({ credits: 9, entries: ['hold -1'] });

    const taken = new TakenCall(parley, id, token);
    await taken.connected();
    await taken.transcript([{ sequence: 1, speaker: 'agent', text: 'Hello', started_at: call.created_at }]);
    await taken.ended({ transcript_turns: 1 });
    await calls.reached(id, 'disconnected');

    const { body } = await workspace.api.get(`/api/calls/${id}`);
    expect(body.data).toMatchObject({
      direction: 'inbound',
      campaign_id: null,
      to_number: number,
      from_number: CALLER,
      worker_id: WORKER_ID,
      charge: 1,
      agent_config: { greeting: 'Hello Ada!' },
    });
    const { entries, credits } = await readLedger(parley, workspace.workspaceId);
    expect([credits, entries]).toEqual([9, ['hold -1', 'release 1', 'charge -1']]);
    const timeline = (await workspace.api.get(`/api/calls/${id}/timeline`)).body.data as Shown[];
    expect(timeline[0]).toMatchObject({
      kind: 'accepted',
      source: 'runtime',
      text: `The runtime “${WORKER_ID}” took a call from ${CALLER} to ${number} for the agent “Front desk”, version 1.`,
    });
    expect(timeline.map(({ kind }) => kind as string)).not.toContain('published');
    const statistics = await workspace.api.get('/api/reports/agents/calls');
    expect(statistics.body.data).toMatchObject({ total_calls: 1, successful_calls: 1 });
  });

  test('has no number if the caller withholds it, and can be a web call', async () => {
    const { number } = await agentWithNumber(await parley.workspace(), { type: 'chat' });

    const { body } = await incomingOverTheWire(
      parley,
      incoming(number, { from_number: '', call_type: 'webcall' }),
    );

    expect(body.call).toMatchObject({ from_number: '', call_type: 'webcall', channel: 'chat' });
  });

  test('gets the same answer for each repeated claim, also after its end and without credits', async () => {
    const workspace = await parley.workspace({ credits: 1 });
    const { number, calls } = await agentWithNumber(workspace);
    const asked = incoming(number);

    const first = await incomingOverTheWire(parley, asked);
    const again = await incomingOverTheWire(parley, asked);
    const { conversation_id: id, token } = first.body as Shown;
    await new TakenCall(parley, id, token).ended();
    await calls.reached(id, 'disconnected');
    const late = await incomingOverTheWire(parley, asked);

    expect(first.type).toBe(MESSAGE_TYPES.incomingAccepted);
    expect([again.body, late.body]).toEqual([first.body, first.body]);
    expect((await readLedger(parley, workspace.workspaceId)).entries).toEqual([
      'hold -1',
      'release 1',
      'charge -1',
    ]);
  });

  test('belongs to the runtime that claimed it first, also for another one that sends the same claim', async () => {
    const workspace = await parley.workspace({ credits: 3 });
    const { number } = await agentWithNumber(workspace);
    const asked = incoming(number);
    const workers = Array.from({ length: 10 }, (_, index) => `worker ${index}`);

    const answers = await Promise.all(
      workers.map((worker_id) => incomingOverTheWire(parley, { ...asked, worker_id })),
    );
    const [holder] = answers.map(({ body }) => body.worker_id as string);
    const late = await incomingOverTheWire(parley, { ...asked, worker_id: 'another worker' });

    expect(workers).toContain(holder);
    for (const { body } of [...answers, late]) expect(body).toEqual(answers[0]?.body);
    const { body } = await workspace.api.get(`/api/calls/${String(late.body.conversation_id)}`);
    expect(body.data).toMatchObject({ worker_id: holder });
    expect((await readLedger(parley, workspace.workspaceId)).entries).toEqual(['hold -1']);
  });

  test('is one call if it is claimed many times at once', async () => {
    const workspace = await parley.workspace({ credits: 3 });
    const { number } = await agentWithNumber(workspace);
    const [one, other] = [incoming(number), incoming(number)];

    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => incomingOverTheWire(parley, index % 2 ? one : other)),
    );

    expect(new Set(answers.map(({ body }) => body.conversation_id)).size).toBe(2);
    expect((await readLedger(parley, workspace.workspaceId)).entries).toEqual(['hold -1', 'hold -1']);
  });

  test('is one call if it is claimed at two servers, and takes the last credit once', async () => {
    const second = await TestParley.start({}, parley.database);
    const workspace = await parley.workspace({ credits: 1 });
    const { number } = await agentWithNumber(workspace);
    const asked = incoming(number);
    const lock = new Client(parley.database.url);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [workspace.workspaceId]);

    const servers = [parley, parley, parley, second];
    const answers = Promise.all(servers.map((server) => incomingOverTheWire(server, asked)));
    await until(async () => {
      const waiting = await parley.sql(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      return waiting.length === 2;
    });
    await lock.query('COMMIT');
    const [first, ...others] = await answers;
    await lock.end();
    await second.stop({ keepDatabase: true });

    expect(first?.type).toBe(MESSAGE_TYPES.incomingAccepted);
    for (const { body } of others) expect(body).toEqual(first?.body);
    expect((await readLedger(parley, workspace.workspaceId)).entries).toEqual(['hold -1']);
  });

  test('is not delayed by another workspace whose row is locked', async () => {
    const [locked, free] = [await parley.workspace(), await parley.workspace()];
    const [waiting, ready] = [await agentWithNumber(locked), await agentWithNumber(free)];
    const lock = new Client(parley.database.url);
    await lock.connect();
    await lock.query('BEGIN');
    await lock.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [locked.workspaceId]);

    const late = incomingOverTheWire(parley, incoming(waiting.number));
    const { type } = await incomingOverTheWire(parley, incoming(ready.number));
    await lock.query('COMMIT');
    await lock.end();

    expect(type).toBe(MESSAGE_TYPES.incomingAccepted);
    expect((await late).type).toBe(MESSAGE_TYPES.incomingAccepted);
  });

  test('is accepted later although its first claim was refused', async () => {
    const workspace = await parley.workspace({ credits: 0 });
    const { number } = await agentWithNumber(workspace);
    const asked = incoming(number);

    const refused = await incomingOverTheWire(parley, asked);
    await parley.sql('UPDATE workspaces SET credits = 1 WHERE id = $1', [workspace.workspaceId]);
    const accepted = await incomingOverTheWire(parley, asked);

    expect(refused.body).toEqual({ claim_id: asked.claim_id, reason: 'insufficient_credits' });
    expect(accepted.type).toBe(MESSAGE_TYPES.incomingAccepted);
  });

  test('has an answer with the whole prompt of its agent, however long', async () => {
    const prompt = 'All about our opening hours. '.repeat(3_000);
    const { number } = await agentWithNumber(await parley.workspace(), { prompt });

    const { body } = await incomingOverTheWire(parley, incoming(number));

    expect((body.call as Shown).agent.prompt).toBe(prompt);
  });
});

describe('An incoming call is refused', () => {
  const parley = useOwnParley({ WORKSPACE_CONCURRENCY: '2' });

  const refusals: [string, string, () => Promise<string>][] = [
    ['unknown_number', 'if nobody has its number', async () => Promise.resolve(nextNumber())],
    [
      'unknown_number',
      'if no agent has its number',
      async () => {
        const number = nextNumber();
        await (await parley.workspace()).api.post('/api/phone-number', { phone_number: number });
        return number;
      },
    ],
    [
      'unknown_number',
      'if its agent was deleted',
      async () => {
        const workspace = await parley.workspace();
        const { agentId, number } = await agentWithNumber(workspace);
        await workspace.api.delete(`/api/agents/${agentId}`);
        return number;
      },
    ],
    [
      'agent_off',
      'if no version of its agent is published',
      async () => {
        const workspace = await parley.workspace();
        await workspace.api.put('/api/workspace/publishing', { publish: 'gated' });
        return (await agentWithNumber(workspace, { deployment: { status: 'draft' } })).number;
      },
    ],
    [
      'agent_off',
      'if its agent is switched off',
      async () => (await agentWithNumber(await parley.workspace(), { status: false })).number,
    ],
    [
      'agent_off',
      'if the workspace is suspended',
      async () => {
        const workspace = await parley.workspace();
        const { number } = await agentWithNumber(workspace);
        await parley.sql('UPDATE workspaces SET suspended_at = now() WHERE id = $1', [workspace.workspaceId]);
        return number;
      },
    ],
    [
      'insufficient_credits',
      'if the workspace has no credits',
      async () => (await agentWithNumber(await parley.workspace({ credits: 0 }))).number,
    ],
    [
      'insufficient_credits',
      'if the credits of the day are spent',
      async () => {
        const workspace = await parley.workspace();
        const { number } = await agentWithNumber(workspace);
        const spent = 'UPDATE workspaces SET quotas_credits_per_day = 1 WHERE id = $1';
        await parley.sql(spent, [workspace.workspaceId]);
        await incomingOverTheWire(parley, incoming(number));
        return number;
      },
    ],
    [
      'too_many_calls',
      'if too many calls of the workspace are in progress',
      async () => {
        const { number } = await agentWithNumber(await parley.workspace());
        await incomingOverTheWire(parley, incoming(number));
        await incomingOverTheWire(parley, incoming(number));
        return number;
      },
    ],
  ];

  test.each(refusals)('as %s %s, and counted', async (reason, _, prepare) => {
    const asked = incoming(await prepare());
    const before = (await readOutcomes(parley))[reason] ?? 0;

    const answer = await incomingOverTheWire(parley, asked);

    expect(answer.type).toBe(MESSAGE_TYPES.incomingRefused);
    expect(answer.body).toEqual({ claim_id: asked.claim_id, reason });
    expect(contractErrors(answer)).toEqual([]);
    const found = await parley.sql('SELECT FROM conversations WHERE incoming_claim_id = $1', [
      asked.claim_id,
    ]);
    expect(found).toEqual([]);
    expect((await readOutcomes(parley))[reason]).toBe(before + 1);
  });

  test.each([
    ['claim_id', { claim_id: 'one' }],
    ['worker_id', { worker_id: 'x'.repeat(201) }],
    ['to_number', { to_number: '15557654321' }],
    ['from_number', { from_number: 'anonymous' }],
    ['from_number', { from_number: undefined }],
    ['call_type', { call_type: 'fax' }],
    ['dynamic_variables', { dynamic_variables: { name: 7 } }],
    ['dynamic_variables', { dynamic_variables: { name: '\0' } }],
    ['external_id', { external_id: 'x'.repeat(1_025) }],
  ])('if its %s is malformed, with the reason', async (field, changes) => {
    const answer = await incomingOverTheWire(parley, incoming(nextNumber(), changes));

    expect(answer.type).toBe(MESSAGE_TYPES.incomingRefused);
    expect(answer.body.reason).toMatch(new RegExp(`^The claim is malformed: body.${field}: `));
    expect(contractErrors(answer)).toEqual([]);
  });
});

describe('An incoming call whose runtime is silent', () => {
  const parley = useOwnParley({ SWEEP_INTERVAL_MS: '50', LEASE_SECONDS: '1' });

  test('ends as lost, gives its hold back, and is corrected by a late report', async () => {
    const workspace = await parley.workspace({ credits: 5 });
    const { number, calls } = await agentWithNumber(workspace);
    const { body } = await incomingOverTheWire(parley, incoming(number));
    const { conversation_id: id, token } = body as Shown;

    expect(await calls.reached(id, 'failed')).toMatchObject({ disconnect_reason: 'worker_lost' });
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(5);

    await new TakenCall(parley, id, token).ended();
    await calls.reached(id, 'disconnected');
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(4);
  });
});
