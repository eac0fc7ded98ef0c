import type { UUID } from 'node:crypto';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { outcome, outOfScope } from '../support/answers';
import type { ApiClient } from '../support/client';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { type OfferedCall, type TakenCall, TestWorker } from '../support/worker';

describe('The credential of a call', () => {
  const parley = useOwnParley({ PUBLIC_URL: 'https://parley.example.com/', LEASE_SECONDS: '600' });
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let calls: AgentCalls;
  let call: TakenCall;
  let offer: OfferedCall;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());
  beforeEach(async () => {
    workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    offer = await worker.findOffer(await calls.start());
    call = await offer.take();
  });

  const bearer = (token: string): ApiClient => parley.api.with({ authorization: `Bearer ${token}` });

  const readsItsAgent = async (token: string) =>
    (await bearer(token).get(`/api/agents/${calls.agentId}`)).status;

  test('comes with the claim, is valid for six hours, and is the same for the same claim', async () => {
    const { api } = call;
    const claimed = Date.now();

    expect(api.url).toBe('https://parley.example.com');
    expect(new Date(api.expires_at).getTime() - claimed).toBeGreaterThan(5.9 * 3_600_000);
    expect(new Date(api.expires_at).getTime() - claimed).toBeLessThanOrEqual(6 * 3_600_000);
    expect(api.token).not.toContain(call.token);
    const again = await offer.claim(call.claimId as UUID);
    expect(again).toMatchObject({ type: MESSAGE_TYPES.claimed, body: { api } });
  });

  test('reads the data of its agent, and nothing else', async () => {
    const api = bearer(call.api.token);
    const other = await createAgent(workspace);
    const otherCall = await new AgentCalls(workspace.api, other).start();
    const { agentId } = calls;

    for (const path of [
      `/api/agents/${agentId}`,
      `/api/calls/${call.conversationId}`,
      `/api/agents/${agentId}/conversations`,
      '/api/calls',
    ])
      expect([path, (await api.get(path)).status]).toEqual([path, 200]);
    for (const path of [`/api/agents/${other}`, '/api/agents', '/api/workspace', '/api/webhooks/secret'])
      expect(await outcome(api.get(path))).toEqual(outOfScope());
    expect((await api.get(`/api/calls/${otherCall}`)).status).toBe(404);
  });

  test('changes nothing', async () => {
    const api = bearer(call.api.token);
    const { agentId } = calls;

    expect(
      await Promise.all([
        outcome(api.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' })),
        outcome(api.put(`/api/agents/${agentId}`, { type: 'outbound' })),
        outcome(api.post(`/api/calls/${call.conversationId}/hangup`)),
        outcome(api.post('/api/session', {})),
        outcome(api.post('/api/auth/tokens', { expiresIn: 60 })),
        outcome(api.delete('/api/session')),
      ]),
    ).toEqual(Array.from({ length: 6 }, outOfScope));
    const scoped = parley.scoped(workspace, `agent:${agentId}`, 'read');
    expect(await outcome(scoped.post(`/api/agents/${agentId}/calls`, { to_number: '+15551234567' }))).toEqual(
      outOfScope(),
    );
    expect((await scoped.get(`/api/agents/${agentId}`)).status).toBe(200);
  });

  test.each<{ when: string; sql: string; status: number }>([
    {
      when: 'an hour after the end of the call',
      sql: `UPDATE conversations SET ended_at = now() - interval '61 minutes', accepted_at = now() - interval '62 minutes' WHERE id = $1`,
      status: 401,
    },
    {
      when: 'six hours after the claim',
      sql: `UPDATE conversations SET ended_at = NULL, disconnect_reason = NULL, status = 'accepted', accepted_at = now() - interval '361 minutes' WHERE id = $1`,
      status: 401,
    },
    {
      when: 'when the call is erased',
      sql: 'UPDATE conversations SET token = NULL WHERE id = $1',
      status: 401,
    },
    {
      when: 'when all tokens of the workspace are revoked',
      sql: `UPDATE workspaces SET tokens_not_before = now() WHERE id = (SELECT workspace_id FROM conversations WHERE id = $1)`,
      status: 401,
    },
    {
      when: 'while the workspace is suspended',
      sql: `UPDATE workspaces SET suspended_at = now() WHERE id = (SELECT workspace_id FROM conversations WHERE id = $1)`,
      status: 403,
    },
  ])('is refused $when', async ({ sql, status }) => {
    await call.ended();
    await calls.reached(call.conversationId, 'disconnected');
    expect(await readsItsAgent(call.api.token)).toBe(200);

    await parley.sql(sql, [call.conversationId]);

    expect(await readsItsAgent(call.api.token)).toBe(status);
  });

  test('cannot be made of the credential of another call', async () => {
    const other = await (await worker.findOffer(await calls.start())).take();
    const { token } = call.api;
    const forged = token.replace(call.conversationId, other.conversationId);
    const changed = token.slice(0, -2) + (token.endsWith('A') ? 'BB' : 'AA');

    for (const wrong of [forged, changed, `${token}x`, token.slice(0, -1), 'parley_call_', call.token])
      expect([wrong, await readsItsAgent(wrong)]).toEqual([wrong, 401]);
  });

  test('comes with an incoming call, too', async () => {
    const number = `+1555${Math.floor(Math.random() * 1_000_000) + 2_000_000}`;
    await workspace.api.put(`/api/agents/${calls.agentId}/phone-number`, { phone_number: number });
    const { type, body } = await parley.broker.request(
      {
        exchange: '',
        routingKey: parley.topology.claimsQueue,
        type: MESSAGE_TYPES.incoming,
        messageId: crypto.randomUUID(),
        persistent: false,
        body: { claim_id: crypto.randomUUID(), worker_id: 'w', to_number: number, from_number: '' },
      },
      5_000,
    );

    expect(type).toBe(MESSAGE_TYPES.incomingAccepted);
    const { token } = (body as { api: { token: string } }).api;
    await until(async () => (await readsItsAgent(token)) === 200);
  });
});
