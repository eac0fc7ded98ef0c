import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useParley } from '../support/parley';
import { until } from '../support/until';

const CALL = { to_number: '+15551234567' };

describe('Calls that are started together', () => {
  const parley = useParley();

  const start = ({ api, apiKey }: TestWorkspace, agentId: string, headers: Record<string, string> = {}) =>
    api.with({ 'x-api-key': apiKey, ...headers }).post(`/api/agents/${agentId}/calls`, CALL);

  test('are decided each by itself', async () => {
    const rich = await parley.workspace({ credits: 100 });
    const poor = await parley.workspace({ credits: 3 });
    const penniless = await parley.workspace({ credits: 0 });
    const [agent, off] = [await createAgent(rich), await createAgent(rich, { status: false })];
    const [ofPoor, ofPenniless] = [await createAgent(poor), await createAgent(penniless)];

    const answers = await Promise.all([
      ...Array.from({ length: 10 }, () => start(rich, agent)),
      ...Array.from({ length: 10 }, () => start(poor, ofPoor)),
      start(rich, off),
      start(rich, ofPoor),
      start(rich, 'no-uuid'),
      start(penniless, ofPenniless),
      ...['one', 'two'].map((key) => start(rich, agent, { 'idempotency-key': key })),
    ]);

    const statuses = answers.map(({ status }) => status);
    expect(statuses.slice(0, 10)).toEqual(Array(10).fill(200));
    expect(statuses.slice(10, 20).sort()).toEqual([200, 200, 200, ...(Array(7).fill(402) as number[])]);
    expect(statuses.slice(20)).toEqual([400, 404, 404, 402, 200, 200]);
    expect((await readLedger(parley, rich.workspaceId)).credits).toBe(88);
    expect((await readLedger(parley, poor.workspaceId)).credits).toBe(0);
    expect((await readLedger(parley, penniless.workspaceId)).credits).toBe(0);
  });

  test('of one Idempotency-Key are one call, among many others', async () => {
    const workspace = await parley.workspace({ credits: 100 });
    const agentId = await createAgent(workspace);
    const key = { 'idempotency-key': randomUUID() };

    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, index) => start(workspace, agentId, index % 3 === 0 ? key : {})),
    );

    const keyed = answers.filter((_, index) => index % 3 === 0);
    // A request that arrives after the first one has ended gets its answer.
    const accepted = keyed.filter(({ status }) => status === 200);
    const refused = keyed.filter(({ status }) => status === 409);
    expect(accepted.length + refused.length).toBe(10);
    expect(new Set(accepted.map(({ body }) => body.data.conversation_id as string)).size).toBe(1);
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(79);
  });

  test('do not wait for a workspace whose row is locked', async () => {
    const [locked, other] = [await parley.workspace(), await parley.workspace()];
    const [agentOfLocked, agentOfOther] = [await createAgent(locked), await createAgent(other)];
    const client = new Client(parley.database.url);
    await client.connect();
    await client.query('BEGIN');
    await client.query('SELECT FROM workspaces WHERE id = $1 FOR NO KEY UPDATE', [locked.workspaceId]);

    const waiting = Promise.all([start(locked, agentOfLocked), start(locked, agentOfLocked)]);
    const isWaiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
    await until(async () => (await client.query(isWaiting)).rowCount);
    const calls = new AgentCalls(other.api, agentOfOther);
    await Promise.all(Array.from({ length: 20 }, () => calls.start()));
    expect((await client.query(isWaiting)).rowCount).toBe(1);

    await client.query('COMMIT');
    await client.end();
    expect((await waiting).map(({ status }) => status)).toEqual([200, 200]);
  });
});
