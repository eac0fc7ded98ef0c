import { randomUUID } from 'node:crypto';
import { REPORT_LIMITS } from '../../src/platform/messaging/message-body';
import { IncomingDelivery, RequestTimeoutError } from '../../src/platform/messaging/message-broker';
import { until } from '../support/until';
import { callStart, kinds, useBroker } from '../support/brokers';

describe.each(kinds)('requests over the %s broker', (kind) => {
  const on = useBroker(kind);

  const claim = (body: object = {}) => ({
    exchange: '',
    routingKey: on.topology.claimsQueue,
    type: 'call.claim.v1',
    messageId: randomUUID(),
    persistent: false,
    body,
  });

  const reply = ({ message }: IncomingDelivery, body: object) =>
    on.broker.publish({
      exchange: '',
      routingKey: message.replyTo ?? '',
      type: 'call.claimed.v1',
      messageId: randomUUID(),
      correlationId: message.correlationId,
      persistent: false,
      body,
    });

  it('each get their own reply, many at once and in any order', async () => {
    const open: IncomingDelivery[] = [];
    await on.broker.consume({ queue: on.topology.claimsQueue, prefetch: 200 }, (delivery) => {
      open.push(delivery);
    });

    const asking = Array.from({ length: 100 }, (_, i) => on.broker.request(claim({ i }), 5_000));
    await until(() => open.length === 100);
    for (const delivery of open.reverse()) {
      await reply(delivery, { answers: (delivery.message.body as { i: number }).i });
      delivery.ack();
    }

    const replies = await Promise.all(asking);
    expect(replies.map(({ body }) => body)).toEqual(replies.map((_, i) => ({ answers: i })));
    expect(replies[0]?.type).toBe('call.claimed.v1');
  });

  it('fail when no reply arrives in time, and a late reply does no harm', async () => {
    const open: IncomingDelivery[] = [];
    await on.broker.consume({ queue: on.topology.claimsQueue, prefetch: 1 }, (delivery) => {
      open.push(delivery);
    });

    await expect(on.broker.request(claim(), 30)).rejects.toBeInstanceOf(RequestTimeoutError);

    const delivery = await until(() => open[0]);
    await expect(reply(delivery, {})).resolves.toBeUndefined();
    delivery.ack();
  });

  it('do not get a reply that is beyond the limits', async () => {
    await on.broker.consume({ queue: on.topology.claimsQueue, prefetch: 1 }, async (delivery) => {
      await reply(delivery, { text: 'x'.repeat(REPORT_LIMITS.maxBytes) });
      await reply(delivery, { text: 'short' });
      delivery.ack();
    });

    const { body } = await on.broker.request(claim(), 5_000);

    expect(body).toEqual({ text: 'short' });
  });

  it('fail at once when no queue receives them', async () => {
    const asking = on.broker.request(callStart(on.topology, { exchange: '', routingKey: 'unbound' }), 5_000);

    await expect(asking).rejects.toMatchObject({ reason: 'unroutable' });
  });

  it('fail at once when the broker closes before the reply', async () => {
    const asking = on.broker.request(claim(), 60_000);
    asking.catch(() => undefined);

    await on.broker.close();

    await expect(asking).rejects.toMatchObject({ reason: 'unavailable' });
  });
});
