import { randomUUID } from 'node:crypto';
import type { GetMessage } from 'amqplib';
import { MAX_MESSAGE_BYTES } from '../../src/platform/messaging/message-body';
import type { ConsumeOptions } from '../../src/platform/messaging/message-broker';
import { MESSAGE_TYPES } from '../../src/platform/messaging/wire';
import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { campaignReached, createCampaign, recipientsFile } from '../support/campaigns';
import { readLedger } from '../support/ledger';
import { type TestParley, type TestWorkspace, useOwnParley } from '../support/parley';
import { withChannel } from '../support/rabbitmq';
import { until } from '../support/until';
import { TestWorker } from '../support/worker';

const onRabbitmq = globalThis.BROKER === 'rabbitmq';

/** An event with a token that no call has, of about this size. A third of its bytes are objects. */
function createEvent(bytes: number): string {
  const { conversation_id, token } = { conversation_id: randomUUID(), token: randomUUID() };
  const start = JSON.stringify({ conversation_id, token, occurred_at: new Date().toISOString() }).slice(
    0,
    -1,
  );
  return `${start},"extra":[${'{},'.repeat((bytes - 250) / 3)}{}]}`;
}

/** The ids of the dead-lettered events, each rejected at its first delivery. */
async function deadEvents({ broker, topology }: TestParley): Promise<string[]> {
  const ids: string[] = [];
  if (onRabbitmq) {
    await withChannel(async (channel) => {
      const next = () => channel.get(topology.deadEventsQueue, { noAck: true });
      for (let dead = await until(next, 30_000); dead; dead = (await next()) as GetMessage) {
        const { messageId, headers } = dead.properties;
        expect(headers).toMatchObject({ 'x-death': [{ count: 1, reason: 'rejected' }] });
        ids.push(String(messageId));
      }
    });
    return ids;
  }
  const limits = { maxBytes: 0, maxValues: 0, maxDepth: 0 };
  const dead: ConsumeOptions = {
    queue: topology.deadEventsQueue,
    prefetch: 10,
    limits,
    malformed: 'deliver',
  };
  const subscription = await broker.consume(dead, (delivery) => {
    ids.push(delivery.message.messageId);
    delivery.ack();
  });
  await until(() => ids.length > 0);
  await subscription.cancel();
  return ids;
}

describe('An event of millions of objects', () => {
  const parley = useOwnParley();
  let worker: TestWorker;

  beforeAll(async () => {
    worker = await TestWorker.start(parley);
  });
  afterAll(() => worker.stop());

  const startAndClaim = async (calls: AgentCalls) => (await worker.findOffer(await calls.start())).take();

  async function sendHugeEvent(messageId: string): Promise<void> {
    const exchange = parley.topology.events;
    const [routingKey, type] = ['call.heartbeat', MESSAGE_TYPES.heartbeat];
    if (!onRabbitmq) {
      const body = JSON.parse(createEvent(MAX_MESSAGE_BYTES)) as object;
      return parley.broker.publish({ exchange, routingKey, type, messageId, body });
    }
    const content = Buffer.from(createEvent(15_000_000));
    return withChannel(async (channel) => {
      channel.publish(exchange, routingKey, content, { type, messageId });
      await channel.checkExchange(exchange);
    });
  }

  test('is dead-lettered at once, and other calls are started and claimed meanwhile', async () => {
    const workspace = await parley.workspace();
    const calls = new AgentCalls(workspace.api, await createAgent(workspace));
    const messageId = randomUUID();
    await sendHugeEvent(messageId);
    let isOver = false;
    const dead = deadEvents(parley).finally(() => (isOver = true));
    do await startAndClaim(calls);
    while (!isOver);

    expect(await dead).toEqual([messageId]);
  });
});

describe('A call whose message would be too large', () => {
  const parley = useOwnParley({ CAMPAIGN_INTERVAL_MS: '50' });

  /** An agent that no request can create. */
  async function hugeAgent(owner: TestWorkspace): Promise<string> {
    const id = await createAgent(owner);
    const metaData = `jsonb_build_object('metaData', jsonb_build_object('notes', repeat('x', ${MAX_MESSAGE_BYTES})))`;
    await parley.sql(`UPDATE agent_versions SET snapshot = snapshot || ${metaData} WHERE agent_id = $1`, [
      id,
    ]);
    return id;
  }

  test('is refused and costs nothing, while others are published', async () => {
    const workspace = await parley.workspace({ credits: 10 });
    const [huge, usual] = [await hugeAgent(workspace), await createAgent(workspace)];
    const start = (id: string) =>
      workspace.api.post(`/api/agents/${id}/calls`, { to_number: '+15551234567' });

    const answers = await Promise.all([huge, usual, huge, usual].map(start));

    expect(answers.map(({ status }) => status)).toEqual([500, 200, 500, 200]);
    expect(answers[0]?.body).toMatchObject({
      message: 'The call could not be published to the agent',
      error: {
        details: expect.stringMatching(
          /^The message has \d+ bytes, and 8388608 is the limit\. Nothing was charged\.$/,
        ) as string,
      },
    });
    const { body } = await workspace.api.get(`/api/agents/${huge}/conversations`);
    const [{ conversation_id: id }] = body.data.conversations;
    expect(await new AgentCalls(workspace.api, huge).conversation(id as string)).toMatchObject({
      status: 'failed',
      disconnect_reason: 'dispatch_failed',
    });
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(8);
  });

  test('fails for its recipient of a campaign, and does not delay other campaigns', async () => {
    const workspace = await parley.workspace();
    const huge = await createCampaign(workspace.api, await hugeAgent(workspace), recipientsFile(2));
    const usual = await createCampaign(workspace.api, await createAgent(workspace), recipientsFile(2));

    const failed = await campaignReached(workspace.api, huge, ({ status }) => status === 'completed');

    expect(failed.progress).toMatchObject({ failed: 2, queued: 0 });
    await campaignReached(workspace.api, usual, ({ progress }) => progress.queued === 2);
    expect((await readLedger(parley, workspace.workspaceId)).credits).toBe(98);
  });
});
