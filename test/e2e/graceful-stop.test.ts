import { Client } from 'pg';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { TestParley } from '../support/parley';
import { TestWorker } from '../support/worker';

const CALLS = 150;

// RabbitMQ keeps what a server leaves; the in-process broker ends with its server.
(globalThis.BROKER === 'in-process' ? describe : describe.skip)('A server that stops', () => {
  test('first takes in what runtimes have reported', async () => {
    const parley = await TestParley.start();
    const workspace = await parley.workspace({ credits: CALLS });
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const worker = await TestWorker.start(parley);
    const ids = await Promise.all(Array.from({ length: CALLS }, () => calls.start()));
    const taken = await Promise.all(ids.map(async (id) => (await worker.offerOf(id)).take()));

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
});
