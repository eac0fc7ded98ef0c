import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { TestParley } from '../support/parley';
import { until } from '../support/until';
import { WebhookReceiver } from '../support/webhook-receiver';
import { TestWorker } from '../support/worker';

const CALLS = 150;

// RabbitMQ keeps unprocessed messages; the in-process broker ends with its server.
describe('A server that stops', () => {
  test('first processes the reports of the runtimes', async () => {
    const parley = await TestParley.start();
    const workspace = await parley.workspace({ credits: CALLS });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const worker = await TestWorker.start(parley);
    const ids = await Promise.all(Array.from({ length: CALLS }, () => calls.start()));
    const taken = await Promise.all(ids.map(async (id) => (await worker.findOffer(id)).take()));

    await Promise.all(taken.map((call) => call.ended()));
    await worker.stop();
    await parley.stop({ keepDatabase: true });

    const client = new Client(parley.database.url);
    await client.connect();
    const { rows } = await client.query('SELECT status, count(*)::int FROM conversations GROUP BY status');
    await client.end();
    await parley.database.drop();
    expect(rows).toEqual([{ status: 'disconnected', count: CALLS }]);
  });

  test('waits for what an agent does, and stores what came of it', async () => {
    const parley = await TestParley.start({ ALLOW_PRIVATE_ADDRESSES: 'true' });
    const workspace = await parley.workspace();
    const shop = await WebhookReceiver.start();
    shop.hold('/book');
    const actions = [`book ${shop.url('/book')}`];
    const calls = new AgentCalls(workspace.api, await createAgent(workspace, { actions }));
    const worker = await TestWorker.start(parley);
    const { api, conversationId } = await (await worker.findOffer(await calls.start())).take();
    await parley.api
      .with({ authorization: `Bearer ${api.token}` })
      .post(`/api/calls/${conversationId}/tools/book`, { arguments: {}, wait_ms: 0 });
    await until(() => shop.holding === 1);
    await worker.stop();
    const isStopped = parley.stop({ keepDatabase: true });
    await until(() =>
      parley.api
        .get('/health/live')
        .catch(() => 'refused')
        .then((answer) => answer === 'refused'),
    );
    shop.release('/book');
    await isStopped;

    const client = new Client(parley.database.url);
    await client.connect();
    const { rows } = await client.query('SELECT state, attempts FROM tool_invocations');
    await client.end();
    await parley.database.drop();
    await shop.stop();
    expect(rows).toEqual([{ state: 'done', attempts: 1 }]);
  });
});
