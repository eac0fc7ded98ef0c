import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Logger } from '@nestjs/common';
import { findRabbitmqServer, RabbitmqNode, startRabbitmqNode } from '../../run/rabbitmq-node.cjs';
import { HeartbeatGracePeriod } from '../../../src/features/calls/lifecycle/heartbeat-grace-period';
import {
  type OutgoingMessage,
  type PublishError,
  RequestTimeoutError,
} from '../../../src/platform/messaging/message-broker';
import { RabbitmqBroker } from '../../../src/platform/messaging/rabbitmq.broker';
import { topologyNames } from '../../../src/platform/messaging/topology';
import { TcpProxy } from '../../support/tcp-proxy';
import { until } from '../../support/until';
import { callStart, collect } from '../../support/brokers';

const topology = topologyNames('voice');
const event = (changes: Partial<OutgoingMessage> = {}) =>
  callStart(topology, { exchange: topology.events, routingKey: 'call.ended', ...changes });

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

  it('a node that confirms replies and nothing else is left by publishers', async () => {
    const broker = await openBroker(300);
    // The process of a queue that has lost the majority of its nodes confirms nothing either.
    const queue = `whereis('%2F_${topology.callsQueue}')`;
    await node.control('eval', `sys:suspend(${queue}).`);
    const starts = [callStart(topology), callStart(topology)].map((start) => timed(broker.publish(start)));
    for (const { error } of await Promise.all(starts)) expect(error).toMatchObject({ reason: 'timeout' });

    const reply = () => event({ exchange: '', routingKey: 'amq.rabbitmq.reply-to.unknown' });
    await until(async () => {
      const { error } = await timed(broker.publish(reply()));
      return (error as PublishError | undefined)?.reason === 'unavailable';
    });

    await node.control('eval', `sys:resume(${queue}).`);
    await until(async () => !(await timed(broker.publish(event()))).error);
  });

  const setReadable = (names: string) => node.control('set_permissions', 'parley', '.*', '.*', names);
  /** The connections but those that read, which come and go. */
  const listConnections = async () =>
    (await node.control('list_connections', 'pid', 'client_properties'))
      .trim()
      .split('\n')
      .filter((line) => !line.includes('parley reader'))
      .map((line) => line.split('\t')[0] as string)
      .sort();
  /** The process of a queue that has lost the majority of its nodes answers nothing either. */
  const suspend = (...queues: string[]) => control('suspend', queues);
  const resume = (...queues: string[]) => control('resume', queues);
  const control = (action: string, queues: string[]) =>
    node.control('eval', queues.map((queue) => `sys:${action}(whereis('%2F_${queue}'))`).join(', ') + '.');
  const watchEvents = (broker: RabbitmqBroker) =>
    collect(broker, { queue: topology.eventsQueue, watched: true });
  const newGracePeriod = (broker: RabbitmqBroker) =>
    new HeartbeatGracePeriod(broker, { HEARTBEAT_SECONDS: 0.5, SWEEP_INTERVAL_MS: 500 });
  /** Longer than such a period, and than the time after which a node without answers is left. */
  const LONG_MS = 9_000;

  it('a node whose queues answer nothing is left by consumers, which do not count as receiving meanwhile', async () => {
    const broker = await openBroker();
    const events = await watchEvents(broker);
    const kept = event();
    await broker.publish(kept);
    await until(() => events.messageIds().includes(kept.messageId));
    expect(broker.isReceiving()).toBe(true);
    const before = await listConnections();

    await suspend(topology.canaryQueue, topology.eventsQueue);
    await until(() => !broker.isReceiving());
    await until(async () => {
      const now = await listConnections();
      return before.some((pid) => !now.includes(pid));
    });
    expect(broker.isReceiving()).toBe(false);

    await resume(topology.canaryQueue, topology.eventsQueue);
    await until(() => broker.isReceiving());
    // The message was not acknowledged, so that it comes again over the next connection.
    await until(() => events.messageIds().filter((id) => id === kept.messageId).length === 2);
    for (const delivery of events.deliveries) delivery.ack();
  });

  it('no call is given up while only the queue of events delivers nothing, and the other queues go on', async () => {
    const broker = await openBroker();
    const events = await watchEvents(broker);
    const claims = await collect(broker, { queue: topology.claimsQueue, watched: true });
    const claim = () => event({ routingKey: 'claim' });
    const kept = claim();
    await broker.publish(kept);
    await until(() => claims.messageIds().includes(kept.messageId));
    const gracePeriod = newGracePeriod(broker);

    await suspend(topology.eventsQueue);
    await until(() => !broker.isReceiving());
    const stuckAt = performance.now();
    await until(async () => {
      expect(await gracePeriod.isOver()).toBe(false);
      const next = claim();
      await broker.publish(next);
      await until(() => claims.messageIds().includes(next.messageId));
      claims.deliveries.at(-1)?.ack();
      return performance.now() - stuckAt > LONG_MS;
    });
    expect(claims.messageIds().filter((id) => id === kept.messageId)).toHaveLength(1);

    await resume(topology.eventsQueue);
    const late = event();
    await broker.publish(late);
    await until(() => events.messageIds().includes(late.messageId));
    await until(() => gracePeriod.isOver());
    for (const delivery of [...events.deliveries, ...claims.deliveries]) delivery.ack();
  });

  it('a subscription that RabbitMQ has lost without a word is made again, and does not count as receiving', async () => {
    const broker = await openBroker();
    const events = await watchEvents(broker);
    const queue = `{'%2F_${topology.eventsQueue}', node()}`;
    const cancel = `
      {ok, {_, Consumers}, _} = ra:local_query(${queue}, fun rabbit_fifo:query_consumers/1),
      [ra:process_command(${queue}, rabbit_fifo:make_checkout(Id, cancel, #{})) || Id <- maps:keys(Consumers)].`;
    await node.control('eval', cancel);
    const sent = Array.from({ length: 20 }, () => event());
    for (const message of sent) await broker.publish(message);

    await until(() => !broker.isReceiving());
    await until(() => sent.every(({ messageId }) => events.messageIds().includes(messageId)), 10_000);
    expect(broker.isReceiving()).toBe(true);
    for (const delivery of events.deliveries) delivery.ack();
  });

  it('a consumer that may have no more deliveries reads none, and keeps its connection', async () => {
    const broker = await openBroker();
    const events = await collect(broker, { queue: topology.eventsQueue, watched: true, prefetch: 1 });
    const sent = [event(), event()];
    for (const message of sent) await broker.publish(message);
    await until(() => events.deliveries.length === 1);
    await until(() => !broker.isReceiving());
    const before = await listConnections();
    const fullAt = performance.now();
    await until(() => performance.now() - fullAt > LONG_MS);
    expect(events.deliveries).toHaveLength(1);
    expect(await listConnections()).toEqual(before);
    events.deliveries[0]?.ack();
    await until(() => events.deliveries.length === 2);
    expect(broker.isReceiving()).toBe(true);
    events.deliveries[1]?.ack();
  });

  it('no call is given up while the server may not read the queue of events', async () => {
    await setReadable(`^(?!${topology.eventsQueue}$)`);
    const broker = await openBroker();
    await watchEvents(broker);
    const gracePeriod = newGracePeriod(broker);
    const refusedAt = performance.now();
    await until(async () => {
      expect(await gracePeriod.isOver()).toBe(false);
      return performance.now() - refusedAt > LONG_MS;
    });

    await setReadable('.*');
    await until(() => gracePeriod.isOver());
  });

  it('a server that may not read the canary says so once, and keeps its connections', async () => {
    await setReadable(`^(?!${topology.canaryQueue}$)`);
    const warn = jest.spyOn(Logger.prototype, 'warn');
    const broker = await openBroker();
    await until(() => warn.mock.calls.length > 0);
    const before = await listConnections();
    const refusedAt = performance.now();
    await until(() => performance.now() - refusedAt > LONG_MS);
    expect(await listConnections()).toEqual(before);
    expect(warn.mock.calls.map(([line]) => line as string)).toEqual([
      expect.stringContaining(`may not read ${topology.canaryQueue}`),
    ]);
    expect(broker.isReceiving()).toBe(true);
    warn.mockRestore();
    await setReadable('.*');
  });

  it('a connection that is lost while its channels are created is replaced', async () => {
    const proxy = await TcpProxy.to(node.url);
    const broker = new RabbitmqBroker({ urls: [proxy.url], topology, publishTimeoutMs: 10_000 });
    opened.push(broker);
    await broker.open();
    const queue = 'voice.calls.cut';
    const bindings = [{ exchange: topology.calls, routingKey: 'call.start.#' }];
    const calls = await collect(broker, { queue, bindings });

    await proxy.cut();
    // Only the subscription names this queue.
    proxy.cutOnce(queue, 'request');
    await proxy.restore();
    await until(() => !proxy.awaitsCut);
    const start = callStart(topology);
    await until(async () => !(await timed(broker.publish(start))).error);
    await until(() => calls.messageIds().includes(start.messageId), 15_000);
    for (const delivery of calls.deliveries) delivery.ack();
    await calls.cancel();
    await node.control('delete_queue', queue);
    await broker.close();
    await proxy.cut();
  });

  it('a canary that was deleted by hand is declared again by a process that only consumes', async () => {
    await openBroker();
    await node.control('delete_queue', topology.canaryQueue);
    await until(async () => (await node.control('list_queues', 'name')).includes(topology.canaryQueue));
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
