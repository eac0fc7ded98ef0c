import { randomUUID } from 'node:crypto';
import type { Subscription } from '../../src/platform/messaging/message-broker';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { useSimulatedRuntimes } from '../support/simulated-runtimes';
import { McpClient } from '../support/mcp';
import { until } from '../support/until';
import { TestWorker, WORKER_ID } from '../support/worker';
import { contractErrors } from '../support/asyncapi';
import { WireTap } from '../support/wire-tap';

describe('Hanging up through the API', () => {
  const parley = useOwnParley();
  const startRuntime = useSimulatedRuntimes(parley);

  async function setUp() {
    const owner = await parley.workspace({ credits: 10 });
    const calls = new AgentCalls(owner.api, await createAgent(owner));
    return { owner, calls, ledger: () => readLedger(parley, owner.workspaceId) };
  }

  const hangUp = ({ api }: Pick<TestWorkspace, 'api'>, agentId: string, id: string) =>
    api.post(`/api/agents/${agentId}/conversations/${id}/hangup`, {});

  describe('with a worker that follows commands', () => {
    let worker: TestWorker;
    let listening: Subscription | undefined;
    let received: string[];

    const listen = async () => {
      listening = await parley.broker.consume(
        {
          queue: `commands-${randomUUID()}`,
          prefetch: 10,
          bindings: [{ exchange: parley.topology.commands, routingKey: WORKER_ID }],
          lifetime: 'subscription',
        },
        (delivery) => {
          const { message } = delivery;
          expect(message.type).toBe('call.hangup.v1');
          received.push((message.body as { conversation_id: string }).conversation_id);
          delivery.ack();
        },
      );
    };

    beforeAll(async () => {
      worker = await TestWorker.start(parley);
    });
    beforeEach(() => {
      received = [];
    });
    afterEach(async () => {
      await listening?.cancel();
      listening = undefined;
    });
    afterAll(() => worker.stop());

    test('cancels a call that no runtime has claimed, and later claims are refused', async () => {
      const { owner, calls, ledger } = await setUp();
      const id = await calls.start();
      const offer = await worker.findOffer(id);

      expect(await hangUp(owner, calls.agentId, id)).toMatchObject({
        status: 202,
        body: {
          status: 202,
          message: 'Hang-up requested',
          data: { conversation_id: id, status: 'failed', hangup: 'cancelled' },
        },
      });

      expect((await offer.claim()).type).toBe('call.claim-refused.v1');
      expect(await calls.conversation(id)).toMatchObject({
        status: 'failed',
        disconnect_reason: 'cancelled',
        disconnected_by: 'system',
      });
      expect(await ledger()).toEqual({ credits: 10, entries: ['hold -1', 'release 1'] });
    });

    test('sends a command to the runtime that holds the call, which reports the end', async () => {
      const { owner, calls, ledger } = await setUp();
      await listen();
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();
      await call.connected();
      await calls.reached(id, 'connected');

      expect(await hangUp(owner, calls.agentId, id)).toMatchObject({
        status: 202,
        body: { data: { conversation_id: id, status: 'connected', hangup: 'sent' } },
      });
      await until(() => received.includes(id));
      await call.ended({ disconnect_reason: 'cancelled', disconnected_by: 'system' });

      expect(await calls.reached(id, 'disconnected')).toMatchObject({ disconnect_reason: 'cancelled' });
      expect(await ledger()).toEqual({ credits: 9, entries: ['hold -1', 'release 1', 'charge -1'] });
    });

    test('is pending while the runtime has no queue, and is sent after its next heartbeat', async () => {
      const { owner, calls } = await setUp();
      const id = await calls.start();
      const call = await (await worker.findOffer(id)).take();

      expect(await hangUp(owner, calls.agentId, id)).toMatchObject({
        status: 202,
        body: { data: { conversation_id: id, status: 'accepted', hangup: 'pending' } },
      });
      await listen();
      await call.heartbeat();

      await until(() => received.includes(id));
    });

    test('is sent again when a request or a tool of /mcp repeats it, and stands in the audit once', async () => {
      const { owner, calls } = await setUp();
      await listen();
      const id = await calls.start();
      await (await worker.findOffer(id)).take();
      const { body: key } = await owner.api.post('/api/auth/api-keys', { scope: ['mcp:act'] });
      const client = await McpClient.connect(parley.url, { 'x-api-key': key.data.apiKey as string });

      const sendings = [
        () => client.use('hang_up', { call_id: id }),
        () => client.use('hang_up', { call_id: id }),
        async () => (await owner.api.post(`/api/calls/${id}/hangup`)).body.data,
      ];
      for (const [index, send] of sendings.entries()) {
        expect(await send()).toMatchObject({ hangup: 'sent' });
        await until(() => received.filter((each) => each === id).length === index + 1);
      }

      await client.close();
      const { body } = await owner.api.get('/api/audit?action=call.hang_up_requested');
      expect(body.pagination.total).toBe(1);
    });

    test('is refused once the call has ended', async () => {
      const { owner, calls } = await setUp();
      const id = await calls.start();
      await hangUp(owner, calls.agentId, id);

      expect(await hangUp(owner, calls.agentId, id)).toMatchObject({
        status: 409,
        body: {
          status: 409,
          message: 'The call has ended',
          error: { details: 'Its status is failed, so it cannot be hung up.' },
        },
      });
    });

    test('also works for a call whose agent was deleted meanwhile', async () => {
      const { owner, calls } = await setUp();
      const id = await calls.start();
      await (await worker.findOffer(id)).take();
      await owner.api.delete(`/api/agents/${calls.agentId}`);

      expect(await hangUp(owner, calls.agentId, id)).toMatchObject({
        status: 202,
        body: { data: { status: 'accepted', hangup: 'pending' } },
      });
    });

    test('fifty times at once beside a claim succeeds once, and the call is settled once', async () => {
      const { owner, calls, ledger } = await setUp();
      const id = await calls.start();
      const offer = await worker.findOffer(id);

      const [claimed, ...answers] = await Promise.all([
        offer.claim(),
        ...Array.from({ length: 50 }, () => hangUp(owner, calls.agentId, id)),
      ]);

      const cancelled = answers.filter(
        ({ body }) => (body as { data?: { hangup: string } }).data?.hangup === 'cancelled',
      );
      const isClaimed = claimed.type === 'call.claimed.v1';
      expect(cancelled).toHaveLength(isClaimed ? 0 : 1);
      expect((await calls.conversation(id)).status).toBe(isClaimed ? 'accepted' : 'failed');
      expect((await ledger()).entries).toEqual(isClaimed ? ['hold -1'] : ['hold -1', 'release 1']);
    });

    test('finds no call of another agent, of another workspace, or that does not exist', async () => {
      const { owner, calls } = await setUp();
      const stranger = await parley.workspace();
      const id = await calls.start();
      const another = await createAgent(owner);
      const notFound = {
        status: 404,
        body: { status: 404, message: 'Conversation not found', error_code: 'CONVERSATION_NOT_FOUND' },
      };

      expect(await hangUp(owner, another, id)).toMatchObject(notFound);
      for (const missing of [randomUUID(), 'no-id']) {
        expect(await hangUp(owner, calls.agentId, missing)).toMatchObject(notFound);
      }
      expect(await hangUp(stranger, calls.agentId, id)).toMatchObject({ status: 404 });
      expect((await calls.conversation(id)).status).toBe('queued');
    });
  });

  test('ends a call of the simulated runtime that rings', async () => {
    const { owner, calls } = await setUp();
    await startRuntime({ pace: 60_000 });
    const ringing = await calls.start();
    await calls.reached(ringing, 'accepted');
    await hangUp(owner, calls.agentId, ringing);

    expect(await calls.reached(ringing, 'failed')).toMatchObject({
      disconnect_reason: 'cancelled',
      disconnected_by: 'system',
    });
  });

  test('ends a connected call of the simulated runtime', async () => {
    const { owner, calls } = await setUp();
    const tap = await WireTap.on(parley, [
      { exchange: parley.topology.commands, routingKey: 'slow runtime' },
    ]);
    await startRuntime({ pace: 1_000, workerId: 'slow runtime' });
    const talking = await calls.start();
    await calls.reached(talking, 'connected');

    await hangUp(owner, calls.agentId, talking);

    expect(await calls.reached(talking, 'disconnected')).toMatchObject({
      disconnect_reason: 'cancelled',
      metadata: {
        summary: expect.stringContaining('hung up from outside') as string,
        outcome: 'interrupted',
      },
    });
    expect(tap.of(talking).flatMap(contractErrors)).toEqual([]);
    expect(tap.of(talking).length).toBeGreaterThan(0);
    await tap.close();
  });
});
