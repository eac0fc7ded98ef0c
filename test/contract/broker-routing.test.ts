import { callStart, collect, kinds, useBroker } from '../support/brokers';
import { rabbitmqAvailable, withChannel } from '../support/rabbitmq';
import { until } from '../support/until';

describe.each(kinds)('routing on the %s broker', (kind) => {
  const on = useBroker(kind);

  it('brings a call start that no pool has bound to the default queue', async () => {
    const message = callStart(on.topology);
    await on.broker.publish(message);

    const { deliveries } = await collect(on.broker, { queue: on.topology.callsQueue });

    const delivery = await until(() => deliveries[0]);
    expect(delivery.message).toEqual({
      type: 'call.start.v1',
      messageId: message.messageId,
      routingKey: 'call.start.phone.agent-1',
      correlationId: undefined,
      replyTo: undefined,
      redelivered: false,
      body: { greeting: 'Grüß Gott' },
    });
    expect(delivery.message.body).not.toBe(message.body);
    delivery.ack();
  });

  it('brings a call start to the narrower queue of a pool, and to that one only', async () => {
    const pool = await collect(on.broker, {
      queue: on.poolQueue(),
      bindings: [{ exchange: on.topology.calls, routingKey: 'call.start.phone.agent-1' }],
    });
    const forPool = callStart(on.topology);
    const forAnyone = callStart(on.topology, { routingKey: 'call.start.phone.agent-2' });
    await on.broker.publish(forPool);
    await on.broker.publish(forAnyone);

    const rest = await collect(on.broker, { queue: on.topology.callsQueue });

    await until(() => rest.deliveries.length && pool.deliveries.length);
    expect(pool.messageIds()).toEqual([forPool.messageId]);
    expect(rest.messageIds()).toEqual([forAnyone.messageId]);
  });

  it('brings a message once to a queue that two bindings lead to', async () => {
    const pool = await collect(on.broker, {
      queue: on.poolQueue(),
      bindings: [
        { exchange: on.topology.calls, routingKey: 'call.start.phone.*' },
        { exchange: on.topology.calls, routingKey: 'call.start.#' },
      ],
    });
    const [first, second] = [callStart(on.topology), callStart(on.topology)];
    await on.broker.publish(first);
    await on.broker.publish(second);

    await until(() => pool.messageIds().includes(second.messageId));

    expect(pool.messageIds()).toEqual([first.messageId, second.messageId]);
  });

  describe('with a second key', () => {
    const ccRoutingKeys = ['call.start.workspace-1.phone.agent-1'];
    const bindTo = (routingKey: string) =>
      collect(on.broker, {
        queue: on.poolQueue(),
        bindings: [{ exchange: on.topology.calls, routingKey }],
      });

    it('brings a call start to the queue that only this key matches, and to that one only', async () => {
      const pool = await bindTo('call.start.workspace-1.#');
      const rest = await collect(on.broker, { queue: on.topology.callsQueue });
      const forPool = callStart(on.topology, { ccRoutingKeys });
      const forAnyone = callStart(on.topology, { ccRoutingKeys: ['call.start.workspace-2.phone.agent-1'] });
      await on.broker.publish(forPool);
      await on.broker.publish(forAnyone);

      await until(() => rest.deliveries.length && pool.deliveries.length);

      expect(pool.deliveries.map(({ message }) => message)).toMatchObject([
        { messageId: forPool.messageId, routingKey: 'call.start.phone.agent-1' },
      ]);
      expect(rest.messageIds()).toEqual([forAnyone.messageId]);
    });

    it('brings a call start once to a queue that both keys match, and to each that one of them matches', async () => {
      const both = await bindTo('call.start.#');
      const [first, second] = [await bindTo('call.start.phone.*'), await bindTo('call.start.workspace-1.#')];
      const [message, last] = [
        callStart(on.topology, { ccRoutingKeys }),
        callStart(on.topology, { ccRoutingKeys }),
      ];
      await on.broker.publish(message);
      await on.broker.publish(last);

      for (const pool of [both, first, second]) {
        await until(() => pool.messageIds().includes(last.messageId));
        expect(pool.messageIds()).toEqual([message.messageId, last.messageId]);
      }
    });

    it('brings a call start that neither key brings to a pool to the default queue', async () => {
      await bindTo('call.start.sales.*');
      const rest = await collect(on.broker, { queue: on.topology.callsQueue });
      const message = callStart(on.topology, { ccRoutingKeys });

      await on.broker.publish(message);

      await until(() => rest.deliveries.length);
      expect(rest.messageIds()).toEqual([message.messageId]);
    });

    it('reports to the sender that neither key has a queue', async () => {
      const exchange = on.topology.events;
      const event = callStart(on.topology, { exchange, routingKey: 'a', ccRoutingKeys: ['b'] });

      await expect(on.broker.publish(event)).rejects.toMatchObject({ reason: 'unroutable' });
    });
  });

  it('brings a claim that comes by the exchange of events to the queue of claims, and to no event', async () => {
    const claims = await collect(on.broker, { queue: on.topology.claimsQueue });
    const events = await collect(on.broker, { queue: on.topology.eventsQueue });
    const publish = (routingKey: string) =>
      on.broker.publish(callStart(on.topology, { exchange: on.topology.events, routingKey }));
    await publish('claim');
    await publish('call.ended');

    await until(() => claims.deliveries.length && events.deliveries.length);

    expect(events.deliveries.map(({ message }) => message.routingKey)).toEqual(['call.ended']);
    expect(claims.deliveries.map(({ message }) => message.routingKey)).toEqual(['claim']);
  });

  it('brings every event of a call to the server', async () => {
    const { deliveries } = await collect(on.broker, { queue: on.topology.eventsQueue });

    for (const routingKey of ['call.connected', 'call.ended']) {
      await on.broker.publish(callStart(on.topology, { exchange: on.topology.events, routingKey }));
    }

    await until(() => deliveries.length === 2);
    expect(deliveries.map(({ message }) => message.routingKey)).toEqual(['call.connected', 'call.ended']);
  });

  it.each([
    ['an event that is no call event', { events: true, routingKey: 'weather.changed' }],
    ['a message to a queue that does not exist', { events: false, routingKey: 'no-such-queue' }],
  ])('reports to the sender that %s has no queue', async (_, { events, routingKey }) => {
    const exchange = events ? on.topology.events : '';
    const publishing = on.broker.publish(callStart(on.topology, { exchange, routingKey }));

    await expect(publishing).rejects.toMatchObject({ reason: 'unroutable' });
  });

  it('distinguishes two publishes of one message at once, of which one has no queue', async () => {
    const routed = callStart(on.topology);
    const unroutable = { ...routed, exchange: '', routingKey: 'no-such-queue' };

    const outcomes = await Promise.allSettled(
      [routed, unroutable, routed, unroutable].map((message) => on.broker.publish(message)),
    );

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled', 'rejected']);
  });

  it('fails a message to an exchange that does not exist, and continues', async () => {
    const lost = callStart(on.topology, { exchange: 'no-such-exchange' });

    await expect(on.broker.publish(lost)).rejects.toMatchObject({ reason: 'unavailable' });

    await until(() =>
      on.broker.publish(callStart(on.topology)).then(
        () => true,
        () => false,
      ),
    );
  });

  it('confirms that the readiness canary arrived, however often it is checked', async () => {
    for (let i = 0; i < 3; i++) await expect(on.broker.check()).resolves.toBeUndefined();
  });

  it('refuses a message at once after it was closed', async () => {
    await on.broker.close();

    const publishing = on.broker.publish(callStart(on.topology));

    await expect(publishing).rejects.toMatchObject({ reason: 'unavailable' });
    await expect(on.broker.check()).rejects.toMatchObject({ reason: 'unavailable' });
  });
});

(rabbitmqAvailable ? describe : describe.skip)('a queue that somebody deleted on RabbitMQ', () => {
  const on = useBroker('rabbitmq');

  it('fails the call start that finds no queue, and is back for the next', async () => {
    await withChannel((channel) => channel.deleteQueue(on.topology.callsQueue));

    await expect(on.broker.publish(callStart(on.topology))).rejects.toMatchObject({ reason: 'unroutable' });

    await until(() =>
      on.broker.publish(callStart(on.topology)).then(
        () => true,
        () => false,
      ),
    );
  });

  it('comes back for its consumer', async () => {
    const { messageIds } = await collect(on.broker, { queue: on.topology.eventsQueue });
    await withChannel((channel) => channel.deleteQueue(on.topology.eventsQueue));

    const event = callStart(on.topology, { exchange: on.topology.events, routingKey: 'call.ended' });
    await until(() =>
      on.broker.publish(event).then(
        () => true,
        () => false,
      ),
    );

    await until(() => messageIds().includes(event.messageId));
  });
});
