import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRabbitmqServer, RabbitmqNode, startRabbitmqNode } from '../../scripts/rabbitmq-node.cjs';
import { RequestTimeoutError } from '../../src/platform/messaging/message-broker';
import { RabbitmqBroker } from '../../src/platform/messaging/rabbitmq.broker';
import { topologyNames } from '../../src/platform/messaging/topology';
import { TcpProxy } from '../support/tcp-proxy';
import { until } from '../support/until';
import { callStart, collect } from '../support/brokers';

const topology = topologyNames('voice');
const event = () => callStart(topology, { exchange: topology.events, routingKey: 'call.ended' });

// The tests use a node of their own, in the project `rabbitmq` only: otherwise they would run twice.
const hasServer = globalThis.BROKER === 'rabbitmq' && findRabbitmqServer() !== null;

(hasServer ? describe : describe.skip)('when RabbitMQ fails', () => {
  let dir: string;
  let node: RabbitmqNode;
  const opened: RabbitmqBroker[] = [];

  const newBroker = (publishTimeoutMs = 10_000) => {
    const broker = new RabbitmqBroker({ urls: [node.url], topology, publishTimeoutMs });
    opened.push(broker);
    return broker;
  };
  const openBroker = async (publishTimeoutMs?: number) => {
    const broker = newBroker(publishTimeoutMs);
    await broker.open();
    return broker;
  };
  const timed = async (promise: Promise<unknown>) => {
    const start = performance.now();
    const error: unknown = await promise.then(
      () => undefined,
      (reason: unknown) => reason,
    );
    return { error, ms: performance.now() - start };
  };

  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'parley-rabbitmq-'));
    node = await startRabbitmqNode({ dir });
  });

  afterEach(() => Promise.all(opened.splice(0).map((broker) => broker.close())));

  afterAll(async () => {
    await node.kill();
    rmSync(dir, { recursive: true });
  });

  it('a stopped broker fails a publish at once, and after its return everything continues without a restart', async () => {
    const broker = await openBroker();
    const events = await collect(broker, { queue: topology.eventsQueue });
    const kept = callStart(topology);
    await broker.publish(kept);

    await node.stop();
    const failed = await timed(broker.publish(callStart(topology)));
    expect(failed.error).toMatchObject({ reason: 'unavailable' });
    await expect(broker.check()).rejects.toMatchObject({ reason: 'unavailable' });

    const startedInTheOutage = newBroker();
    const opening = startedInTheOutage.open();
    const calls = await collect(startedInTheOutage, { queue: topology.callsQueue });
    await expect(startedInTheOutage.check()).rejects.toMatchObject({ reason: 'unavailable' });

    await node.start();
    await opening;
    const ready = (one: RabbitmqBroker) => () =>
      one.check().then(
        () => true,
        () => false,
      );
    await until(ready(broker));
    await until(ready(startedInTheOutage));

    const fresh = event();
    await broker.publish(fresh);
    await until(() => events.messageIds().includes(fresh.messageId));
    // A confirmed message survives the restart of the broker.
    await until(() => calls.messageIds().includes(kept.messageId));
    calls.deliveries[0]?.ack();
  });

  it('a frozen broker fails a publish in time, and its late confirm does no harm', async () => {
    const broker = await openBroker(300);
    const calls = await collect(broker, { queue: topology.callsQueue });
    const late = callStart(topology);

    await node.freeze();
    const [first, second] = await Promise.all([
      timed(broker.publish(late)),
      timed(broker.request(event(), 200)),
      timed(broker.check()),
    ]);
    node.thaw();

    expect(first.error).toMatchObject({ reason: 'timeout' });
    expect(second.error).toBeInstanceOf(RequestTimeoutError);
    await until(() => calls.messageIds().includes(late.messageId));
    calls.deliveries[0]?.ack();
    await expect(broker.check()).resolves.toBeUndefined();
  });

  it('a frozen broker leaves most of a flood unsent, and holds up no shutdown', async () => {
    const broker = await openBroker(300);
    const calls = await collect(broker, { queue: topology.callsQueue, prefetch: 10_000 });
    const large = () => callStart(topology, { body: { prompt: 'x'.repeat(8_000) } });

    await node.freeze();
    const flood = Array.from({ length: 5_000 }, large);
    const outcomes = await Promise.all(flood.map((message) => timed(broker.publish(message))));
    node.thaw();
    for (const { error } of outcomes) expect(error).toMatchObject({ reason: 'timeout' });

    const last = callStart(topology);
    await until(() =>
      broker.publish(last).then(
        () => true,
        () => false,
      ),
    );
    await until(() => calls.messageIds().includes(last.messageId));
    expect(calls.deliveries.length).toBeLessThan(flood.length);

    await node.freeze();
    const closing = await timed(broker.close());
    node.thaw();
    expect(closing.ms).toBeLessThan(4_000);
  });

  it('a node that answers no more is left for another address, by publishers and by consumers', async () => {
    const nodes = [await TcpProxy.to(node.url), await TcpProxy.to(node.url)] as const;
    // RabbitMQ sends something every second, so that its silence is noticed sooner.
    const urls = nodes.map(({ url }) => `${url}?heartbeat=2`);
    const broker = new RabbitmqBroker({ urls, topology, publishTimeoutMs: 300 });
    opened.push(broker);
    await broker.open();
    const events = await collect(broker, { queue: topology.eventsQueue });
    const published = () =>
      broker.publish(event()).then(
        () => true,
        () => false,
      );

    for (const frozen of nodes) {
      frozen.freeze();
      await until(published);
      const seen = event();
      await broker.publish(seen);
      await until(() => events.messageIds().includes(seen.messageId));
    }
    for (const delivery of events.deliveries) delivery.ack();
    await broker.close();
    await Promise.all(nodes.map((proxy) => proxy.cut()));
  });

  it('a broker short of memory fails publishes without hanging, while consumers continue', async () => {
    const before = await openBroker();
    const sent = [event(), event()];
    for (const message of sent) await before.publish(message);
    await node.stop();
    appendFileSync(join(dir, 'rabbitmq.conf'), 'vm_memory_high_watermark.absolute = 1KB\n');
    await node.start();

    const broker = await openBroker(300);
    // RabbitMQ reports that it is short of memory only after a publish.
    const first = await timed(broker.publish(callStart(topology)));
    expect(first.error).toMatchObject({ reason: 'timeout' });
    const next = await timed(broker.publish(callStart(topology)));
    expect(next.error).toMatchObject({ reason: 'unavailable' });

    const taken = new Set<string>();
    await broker.consume({ queue: topology.eventsQueue, prefetch: 1 }, (delivery) => {
      taken.add(delivery.message.messageId);
      delivery.ack();
    });
    await until(() => sent.every(({ messageId }) => taken.has(messageId)));
    expect((await timed(broker.close())).ms).toBeLessThan(4_000);
  });

  it('a crash of the broker fails everything that waits for its confirm, at once', async () => {
    const broker = await openBroker();

    await node.freeze();
    const waiting = [timed(broker.publish(callStart(topology))), timed(broker.request(event(), 30_000))];
    await node.kill();

    for (const { error, ms } of await Promise.all(waiting)) {
      expect(error).toMatchObject({ reason: 'unavailable' });
      expect(ms).toBeLessThan(5_000);
    }
  });
});
