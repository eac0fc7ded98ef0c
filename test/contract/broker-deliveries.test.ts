import { MalformedMessageError } from '../../src/platform/messaging/malformed-message.error';
import { MAX_MESSAGE_BYTES } from '../../src/platform/messaging/message-body';
import { IncomingDelivery } from '../../src/platform/messaging/message-broker';
import { DELIVERY_LIMIT } from '../../src/platform/messaging/topology';
import { rabbitmqAvailable, withChannel } from '../support/rabbitmq';
import { until } from '../support/until';
import { callStart, collect, createBroker, kinds, useBroker } from '../support/brokers';

describe.each(kinds)('deliveries of the %s broker', (kind) => {
  // A busy machine takes seconds for the largest message.
  const on = useBroker(kind, 10_000);

  it('keep the order in which the messages were published', async () => {
    const sent = Array.from({ length: 200 }, () => callStart(on.topology));
    for (const message of sent) void on.broker.publish(message);
    const received: string[] = [];

    await on.broker.consume({ queue: on.topology.callsQueue, prefetch: 10 }, async (delivery) => {
      received.push(delivery.message.messageId);
      await Promise.resolve();
      delivery.ack();
    });

    await until(() => received.length === sent.length);
    expect(received).toEqual(sent.map(({ messageId }) => messageId));
  });

  it('stop at the prefetch limit until one is settled', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue, prefetch: 2 });
    for (let i = 0; i < 4; i++) await on.broker.publish(callStart(on.topology));

    await until(() => deliveries.length === 2);
    await on.broker.check();
    expect(deliveries).toHaveLength(2);

    deliveries[0]?.ack();
    await until(() => deliveries.length === 3);
  });

  it('are redelivered, and marked so, when the message was requeued', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue });
    await on.broker.publish(callStart(on.topology));

    (await until(() => deliveries[0])).requeue();

    const second = await until(() => deliveries[1]);
    expect(deliveries[0]?.message.redelivered).toBe(false);
    expect(second.message).toEqual({ ...deliveries[0]?.message, redelivered: true });
  });

  it('are redelivered when the handler threw', async () => {
    const attempts: IncomingDelivery[] = [];
    await on.broker.consume({ queue: on.topology.callsQueue, prefetch: 1 }, (delivery) => {
      attempts.push(delivery);
      if (attempts.length === 1) throw new Error('This handler fails once');
      delivery.ack();
    });

    await on.broker.publish(callStart(on.topology));

    await until(() => attempts.length === 2);
  });

  it('accept only the first settlement', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue, prefetch: 1 });
    const [first, second] = [callStart(on.topology), callStart(on.topology)];
    await on.broker.publish(first);
    await on.broker.publish(second);

    const delivery = await until(() => deliveries[0]);
    delivery.ack();
    delivery.requeue();
    delivery.ack();

    expect((await until(() => deliveries[1])).message.messageId).toBe(second.messageId);
  });

  it('end in the dead-letter queue when the message was requeued too often', async () => {
    let count = 0;
    await on.broker.consume({ queue: on.topology.callsQueue, prefetch: 1 }, (delivery) => {
      count += 1;
      delivery.requeue();
    });
    const message = callStart(on.topology);
    await on.broker.publish(message);

    const dead = await collect(on.broker, { queue: on.topology.deadCallsQueue });

    await until(() => dead.deliveries.length);
    expect(dead.messageIds()).toEqual([message.messageId]);
    expect(count).toBe(DELIVERY_LIMIT + 1);
  });

  it('end in the dead-letter queue when the message was rejected', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.eventsQueue });
    const event = callStart(on.topology, { exchange: on.topology.events, routingKey: 'call.ended' });
    await on.broker.publish(event);

    (await until(() => deliveries[0])).reject();

    const dead = await collect(on.broker, { queue: on.topology.deadEventsQueue });
    const { message } = await until(() => dead.deliveries[0]);
    expect(message).toMatchObject({ messageId: event.messageId, body: event.body });
  });

  it('exclude a message that expired, which ends in the dead-letter queue', async () => {
    const dead = await collect(on.broker, { queue: on.topology.deadCallsQueue });
    const expired = callStart(on.topology, { expirationMs: 20.5 });
    const late = callStart(on.topology, { expirationMs: -1 });
    await on.broker.publish(expired);
    await on.broker.publish(late);
    await until(() => dead.deliveries.length === 2);

    const lasting = callStart(on.topology, { expirationMs: 60_000 });
    await on.broker.publish(lasting);

    const { messageIds } = await collect(on.broker, { queue: on.topology.callsQueue });
    await until(() => messageIds().length);
    expect(messageIds()).toEqual([lasting.messageId]);
    expect(dead.messageIds()).toEqual([expired.messageId, late.messageId]);
  });

  it('stop with the subscription, which ends when the last one is settled', async () => {
    const first = await collect(on.broker, { queue: on.topology.callsQueue });
    await on.broker.publish(callStart(on.topology));
    const delivery = await until(() => first.deliveries[0]);

    let ended = false;
    const cancelling = first.cancel().then(() => (ended = true));
    const next = callStart(on.topology);
    await on.broker.publish(next);
    const second = await collect(on.broker, { queue: on.topology.callsQueue });
    await until(() => second.deliveries.length);
    expect(ended).toBe(false);

    delivery.ack();
    await cancelling;
    expect(first.deliveries).toHaveLength(1);
    expect(second.messageIds()).toEqual([next.messageId]);
  });

  it('share a queue between two consumers', async () => {
    const a = await collect(on.broker, { queue: on.topology.callsQueue, prefetch: 1 });
    const b = await collect(on.broker, { queue: on.topology.callsQueue, prefetch: 1 });

    await on.broker.publish(callStart(on.topology));
    await on.broker.publish(callStart(on.topology));

    await until(() => a.deliveries.length === 1 && b.deliveries.length === 1);
    expect(a.messageIds()).not.toEqual(b.messageIds());
  });

  describe('with limits', () => {
    const limits = { maxBytes: 500, maxValues: 10, maxDepth: 3 };
    const event = (body: object) =>
      callStart(on.topology, { exchange: on.topology.events, routingKey: 'call.ended', body });
    const beyond: [string, object, string][] = [
      ['large', { text: 'x'.repeat(490) }, 'it has 501 bytes, and 500 is the limit'],
      ['large in bytes only', { text: 'ü'.repeat(250) }, 'it has 511 bytes, and 500 is the limit'],
      ['full of values', { list: Array.from({ length: 9 }, () => ({})) }, 'it has more than 10 values'],
      ['deep', { a: { b: { c: { d: 1 } } } }, 'it is nested more than 3 levels deep'],
    ];

    it('include messages within them', async () => {
      const { deliveries } = await collect(on.broker, { queue: on.topology.eventsQueue, limits });
      const bodies = [{ text: 'x'.repeat(489) }, { list: Array(8).fill({}) }, { a: { b: [1] } }];
      for (const body of bodies) await on.broker.publish(event(body));

      await until(() => deliveries.length === bodies.length);

      expect(deliveries.map(({ message }) => message.body)).toEqual(bodies);
    });

    it.each(beyond)(
      'exclude a message that is too %s, which ends in the dead-letter queue',
      async (_, body) => {
        const { messageIds } = await collect(on.broker, { queue: on.topology.eventsQueue, limits });
        const dead = await collect(on.broker, { queue: on.topology.deadEventsQueue });
        const [refused, taken] = [event(body), event({})];
        await on.broker.publish(refused);
        await on.broker.publish(taken);

        await until(() => messageIds().length && dead.deliveries.length);

        expect(messageIds()).toEqual([taken.messageId]);
        expect(dead.messageIds()).toEqual([refused.messageId]);
      },
    );

    it.each(beyond)(
      'include the error of a message that is too %s, if the consumer requests it',
      async (_, body, reason) => {
        const { deliveries } = await collect(on.broker, {
          queue: on.topology.eventsQueue,
          limits,
          malformed: 'deliver',
        });
        const refused = event(body);
        await on.broker.publish(refused);

        const { message } = await until(() => deliveries[0]);

        expect(message).toMatchObject({
          messageId: refused.messageId,
          body: new MalformedMessageError(reason),
        });
      },
    );
  });

  it('without limits include the largest message that can be sent', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue });
    const largest = callStart(on.topology, { body: { text: 'x'.repeat(MAX_MESSAGE_BYTES - 11) } });

    await on.broker.publish(largest);

    const { message } = await until(() => deliveries[0]);
    expect(message.body).toEqual(largest.body);
  });

  it('exclude a larger message, whose publish fails without effect on others', async () => {
    const { messageIds } = await collect(on.broker, { queue: on.topology.callsQueue });
    const usual = () => callStart(on.topology);
    const larger = callStart(on.topology, { body: { text: 'x'.repeat(MAX_MESSAGE_BYTES - 10) } });
    const [first, second] = [usual(), usual()];

    const outcomes = await Promise.allSettled(
      [first, larger, second].map((message) => on.broker.publish(message)),
    );

    expect(outcomes).toMatchObject([
      { status: 'fulfilled' },
      {
        status: 'rejected',
        reason: { reason: 'too_large', message: 'The message has 8388609 bytes, and 8388608 is the limit.' },
      },
      { status: 'fulfilled' },
    ]);
    await until(() => messageIds().length === 2);
    expect(messageIds()).toEqual([first.messageId, second.messageId]);
  });

  it('can be settled without harm after the broker was closed', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue });
    await on.broker.publish(callStart(on.topology));
    const delivery = await until(() => deliveries[0]);

    await on.broker.close();

    expect(() => delivery.ack()).not.toThrow();
  });
});

(rabbitmqAvailable ? describe : describe.skip)('deliveries of RabbitMQ to several servers', () => {
  const on = useBroker('rabbitmq');

  it('go to another server when this one closes with a delivery open', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue });
    const message = callStart(on.topology);
    await on.broker.publish(message);
    await until(() => deliveries.length);

    await on.broker.close();

    const other = createBroker('rabbitmq', on.topology);
    await other.open();
    const taken = await collect(other, { queue: on.topology.callsQueue });
    const delivery = await until(() => taken.deliveries[0]);
    expect(delivery.message).toMatchObject({ messageId: message.messageId, redelivered: true });
    delivery.ack();
    await other.close();
  });

  it('skip a subscription that waits for its last settlement', async () => {
    const first = await collect(on.broker, { queue: on.topology.callsQueue });
    await on.broker.publish(callStart(on.topology));
    const open = await until(() => first.deliveries[0]);
    const cancelling = first.cancel();
    const second = await collect(on.broker, { queue: on.topology.callsQueue });

    // The first subscription would receive and requeue half of the messages if it was still active.
    let direct = 0;
    await until(async () => {
      const message = callStart(on.topology);
      await on.broker.publish(message);
      const delivery = await until(() =>
        second.deliveries.find((one) => one.message.messageId === message.messageId),
      );
      delivery.ack();
      direct = delivery.message.redelivered ? 0 : direct + 1;
      return direct === 10;
    });

    open.ack();
    await cancelling;
  });

  it.each([
    ['text', Buffer.from('hello')],
    ['JSON in Latin-1', Buffer.from('{"name":"Grüß"}', 'latin1')],
    ['nothing', Buffer.alloc(0)],
  ])('exclude a message whose body is %s instead of JSON', async (_, content) => {
    const { messageIds } = await collect(on.broker, { queue: on.topology.eventsQueue });
    await withChannel(async (channel) => {
      channel.publish(on.topology.events, 'call.ended', content, { messageId: 'broken' });
      await until(() => channel.checkQueue(on.topology.deadEventsQueue).then((q) => q.messageCount === 1));
    });

    const event = callStart(on.topology, { exchange: on.topology.events, routingKey: 'call.ended' });
    await on.broker.publish(event);

    await until(() => messageIds().length);
    expect(messageIds()).toEqual([event.messageId]);
  });
});
