import { createAgent } from '../support/agents';
import { AgentCalls } from '../support/calls';
import { type TestWorkspace, useOwnParley } from '../support/parley';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { WebhookReceiver } from '../support/webhook-receiver';
import { TestWorker } from '../support/worker';

const TRACEPARENT = '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01';

describe('The traceparent of the request that started a call', () => {
  const parley = useOwnParley({ ALLOW_PRIVATE_ADDRESSES: 'true' });
  const receiver = useStarted(() => WebhookReceiver.start());
  const worker = useStarted(() => TestWorker.start(parley));
  let workspace: TestWorkspace;
  let agentId: string;

  beforeAll(async () => {
    workspace = await parley.workspace();
    agentId = await createAgent(workspace);
  });

  async function startWith(headers: Record<string, string>, fields: object = {}) {
    const api = workspace.api.with({ 'x-api-key': workspace.apiKey, ...headers });
    return worker.findOffer(await new AgentCalls(api, agentId).start(fields));
  }

  test('is handed to the runtime and to the webhooks of the call', async () => {
    const offer = await startWith({ traceparent: TRACEPARENT }, { webhook_url: receiver.url('/traced') });
    expect(offer.start.traceparent).toBe(TRACEPARENT);

    const call = await offer.take();
    await call.connected();
    await call.ended();

    const webhooks = await until(() => receiver.at('/traced').length === 2 && receiver.at('/traced'));
    expect(webhooks.map(({ headers }) => headers.traceparent)).toEqual([TRACEPARENT, TRACEPARENT]);
    expect(JSON.stringify(webhooks.map(({ payload }) => payload as object))).not.toContain(TRACEPARENT);
  });

  test('is empty if there was none, and is not stored then', async () => {
    const offer = await startWith({}, { webhook_url: receiver.url('/untraced') });
    expect(offer.start.traceparent).toBe('');

    await (await offer.take()).failed();

    const [webhook] = await until(() => receiver.at('/untraced').length === 1 && receiver.at('/untraced'));
    expect(webhook?.headers).not.toHaveProperty('traceparent');
    const [stored] = await parley.sql<{ request: object }>(
      'SELECT request FROM conversations WHERE id = $1',
      [offer.start.conversation_id],
    );
    expect(stored?.request).not.toHaveProperty('traceparent');
  });

  test('is ignored if it is invalid', async () => {
    const offer = await startWith({ traceparent: TRACEPARENT.toUpperCase() });

    expect(offer.start.traceparent).toBe('');
    offer.settle();
  });

  test('stays the first one if the request is repeated with another one', async () => {
    const key = { 'idempotency-key': 'traced' };
    const other = TRACEPARENT.replace('b7ad', 'c8be');

    const offer = await startWith({ ...key, traceparent: TRACEPARENT });
    const repeated = await startWith({ ...key, traceparent: other });

    expect(repeated.start).toEqual(offer.start);
    expect(offer.start.traceparent).toBe(TRACEPARENT);
    offer.settle();
  });
});
