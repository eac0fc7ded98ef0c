import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRabbitmqServer, type RabbitmqNode, startRabbitmqNode } from '../run/rabbitmq-node.cjs';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { readLedger } from '../support/ledger';
import { TestParley, type TestWorkspace } from '../support/parley';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

describe('Without a broker', () => {
  test('a call is refused, its hold is released and its conversation fails', async () => {
    const parley = await TestParley.start();
    const workspace = await parley.workspace({ credits: 5 });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    await parley.broker.close();

    const { status, body } = await workspace.api.post(`/api/agents/${calls.agentId}/calls`, {
      to_number: '+15551234567',
    });

    expect({ status, body }).toEqual({
      status: 500,
      body: {
        status: 500,
        message: 'The call could not be published to the agent',
        error_code: 'DISPATCH_FAILED',
        error: { details: expect.stringContaining('Nothing was charged.') },
      },
    });
    const list = await workspace.api.get(`/api/agents/${calls.agentId}/conversations`);
    const [{ conversation_id: id }] = list.body.data.conversations;
    expect(await calls.conversation(id)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'dispatch_failed',
      disconnected_by: 'system',
    });
    expect(await readLedger(parley, workspace.workspaceId)).toEqual({
      credits: 5,
      entries: ['hold -1', 'release 1'],
    });
    await parley.stop();
  });
});

const hasServer = globalThis.BROKER === 'rabbitmq' && findRabbitmqServer() !== null;

(hasServer ? describe : describe.skip)('With RabbitMQ', () => {
  const folder = mkdtempSync(join(tmpdir(), 'parley-rabbitmq-'));
  let node: RabbitmqNode;
  let parley: TestParley;
  let worker: TestWorker;
  let workspace: TestWorkspace;
  let calls: AgentCalls;

  beforeAll(async () => {
    node = await startRabbitmqNode({ dir: folder });
    parley = await TestParley.start({ RABBITMQ_URL: node.url, PUBLISH_TIMEOUT_MS: '500' });
    worker = await TestWorker.start(parley);
    workspace = await parley.workspace({ credits: 10 });
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
  });

  afterAll(async () => {
    await worker.stop();
    await parley.stop();
    await node.stop();
    rmSync(folder, { recursive: true });
  });

  const start = () => workspace.api.post(`/api/agents/${calls.agentId}/calls`, { to_number: '+15551234567' });

  const ready = () => until(async () => (await parley.api.get('/health/ready')).status === 200, 30_000);

  async function expectNoHold() {
    const { credits, entries } = await readLedger(parley, workspace.workspaceId);
    expect(credits).toBe(10);
    expect(entries.filter((entry) => entry === 'hold -1')).toHaveLength(
      entries.filter((entry) => entry === 'release 1').length,
    );
  }

  test('stopped, a call is refused without a hold; with RabbitMQ restarted, the next call works', async () => {
    // The Erlang process continues, which saves the ten seconds of its start.
    await node.control('stop_app');

    const refused = await Promise.all([start(), start(), start()]);
    expect(refused.map(({ status }) => status)).toEqual([500, 500, 500]);
    await expectNoHold();
    expect(await parley.api.get('/health/ready')).toMatchObject({
      status: 503,
      body: { status: 503, message: 'Not ready', data: { broker: { kind: 'rabbitmq', state: 'down' } } },
    });

    await node.control('start_app');
    await ready();
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await call.failed();
    await calls.reached(id, 'failed');
    await expectNoHold();
  });

  test('frozen, a call is refused, and its late message cannot be claimed', async () => {
    await node.freeze();

    const { status } = await start();
    expect(status).toBe(500);
    await expectNoHold();

    node.thaw();
    await ready();
    const { body } = await workspace.api.get(`/api/agents/${calls.agentId}/conversations?limit=1`);
    const [{ conversation_id: id }] = body.data.conversations;
    const offer = await worker.findOffer(id as string);
    expect((await offer.claim()).type).toBe('call.claim-refused.v1');
    expect(await calls.conversation(id as string)).toMatchObject({ disconnect_reason: 'dispatch_failed' });
    await expectNoHold();
  });

  test('with a queue of events that answers nothing, calls are accepted, and the probe and the metric show it', async () => {
    const { eventsQueue } = parley.topology;
    const control = (action: string) => node.control('eval', `sys:${action}(whereis('%2F_${eventsQueue}')).`);
    const probe = () => parley.api.get('/health/ready');
    const broker = { kind: 'rabbitmq', state: 'up' };
    const readAge = async () => {
      const metrics = await (await fetch(`${parley.url}/metrics`)).text();
      return Number(/^broker_seconds_since_delivery (.*)$/m.exec(metrics)?.[1]);
    };
    await until(async () => (await readAge()) < 6);

    await control('suspend');
    await until(async () => (await probe()).body.data.broker.receiving === false);
    expect(await probe()).toMatchObject({ status: 200, body: { data: { broker } } });
    await calls.start();
    await until(async () => (await readAge()) > 8);

    await control('resume');
    await until(async () => (await readAge()) < 6);
    expect((await probe()).body.data.broker).toEqual(broker);
  });
});
