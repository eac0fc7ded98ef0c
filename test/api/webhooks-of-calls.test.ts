import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { undocumentedPartsOfWebhook } from '../support/openapi';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { type ReceivedWebhook, WebhookReceiver } from '../support/webhook-receiver';
import { Webhooks } from '../support/webhooks';
import { TestWorker } from '../support/worker';

describe('The webhooks of a call', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let calls: AgentCalls;
  let webhooks: Webhooks;

  beforeAll(async () => {
    const workspace = await parley.workspace();
    calls = new AgentCalls(workspace.api, await createAgent(workspace));
    webhooks = new Webhooks(workspace.api);
  });

  const startCall = async (path: string) => {
    const id = await calls.start({ webhook_url: receiver.url(path), external_id: `order ${path}` });
    return { id, call: await (await worker.findOffer(id)).take() };
  };

  const received = (path: string, count: number): Promise<ReceivedWebhook[]> =>
    until(() => receiver.at(path).length >= count && receiver.at(path));

  test('report its start and its end, each with the conversation at that time', async () => {
    const { id, call } = await startCall('/ended');
    await call.connected();
    const [started] = await received('/ended', 1);
    const connected = (await calls.conversation(id)) as object;
    await call.ended({ summary: 'All is well.' });
    const [, ended] = await received('/ended', 2);

    const more = {
      ...{ external_id: 'order /ended', agent_version: 1, direction: 'outbound', call_type: 'phonecall' },
      from_number: null,
    };
    const event_id = expect.any(String) as string;
    const timestamp = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string;
    expect(started?.payload).toEqual({
      type: 'call.started',
      timestamp,
      event_id,
      data: { ...connected, ...more },
    });
    const conversation = (await calls.conversation(id)) as object;
    expect(ended?.payload).toEqual({
      ...{ type: 'call.ended', timestamp, event_id },
      data: { ...conversation, ...more },
    });
    const secret = await webhooks.secret();
    for (const webhook of [started, ended]) webhook?.verifyWith(secret);
  });

  test('report its start before its end, also if both are reported at once', async () => {
    const { call } = await startCall('/at-once');

    await call.ended();

    const events = await received('/at-once', 2);
    expect(events.map(({ payload }) => payload as object)).toMatchObject([
      { type: 'call.started' },
      { type: 'call.ended' },
    ]);
  });

  test('report why it failed', async () => {
    const { id, call } = await startCall('/failed');

    await call.failed({ disconnect_reason: 'dial_busy' });

    const [failed] = await received('/failed', 1);
    expect(failed?.payload).toMatchObject({
      type: 'call.failed',
      data: {
        conversation_id: id,
        status: 'failed',
        disconnect_reason: 'dial_busy',
        external_id: 'order /failed',
      },
    });
    await until(async () => (await webhooks.ofCall(id))[0]?.status === 'delivered');
  });

  test('match the OpenAPI document for every type of event', async () => {
    const path = '/documented';
    await (await startCall(path)).call.ended();
    await received(path, 2);
    await (await startCall(path)).call.failed();
    await received(path, 3);
    await webhooks.sendTestEvent(receiver.url(path));

    const events = await received(path, 4);

    expect(events.map(({ payload }) => (payload as { type: string }).type)).toEqual([
      'call.started',
      'call.ended',
      'call.failed',
      'webhook.test',
    ]);
    expect(events.flatMap(undocumentedPartsOfWebhook)).toEqual([]);
  });

  test('are not sent for a call without a webhook_url', async () => {
    const id = await calls.start();
    const call = await (await worker.findOffer(id)).take();
    await call.ended();
    await calls.reached(id, 'disconnected');

    expect(await webhooks.ofCall(id)).toEqual([]);
  });
});
