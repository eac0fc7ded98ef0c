import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Channel, ChannelModel, Message } from 'amqplib';
import { backoffMs } from './backoff';
import { MalformedMessageError } from './malformed-message.error';
import { readBody } from './message-body';
import { ConsumeOptions, IncomingDelivery } from './message-broker';
import { OpenDeliveries, type Settlement } from './open-deliveries';
import { ACCESS_REFUSED, NOT_FOUND } from './rabbitmq.canary';
import { incomingMessage } from './rabbitmq.message';
import type { RabbitmqReader } from './rabbitmq.reader';
import { type Declare, declareQueue } from './rabbitmq.topology';
import { Topology } from './topology';
import { Settlements } from './settlements';
import { callsQueue } from './topology-declarations';
import { answerWithin, settleWithin } from './settle-within';

const openReads = async (reader: RabbitmqReader): Promise<Deliveries> => {
  const channel = await reader.createChannel();
  return { channel, settlements: new Settlements(channel) };
};

const LONGEST_PAUSE_MS = 5_000;
const STOP_TIMEOUT_MS = 1_000;
/** The time after which a new channel tries: see `DECLARE_WAIT_MS` of the publisher. */
const SUBSCRIBE_TIMEOUT_MS = 2_000;
/** The time without a delivery after which a watched queue is read. */
const IDLE_MS = 1_000;
/** The longest time between two answers of a queue that has a majority and is not overloaded. */
const LATE_MS = 3_000;
/** The number of messages in a row that a read finds, and the subscription should have delivered. */
const MAX_MISSED = 4;

/** A channel that brings messages, and the settlements of these. */
interface Deliveries {
  channel: Channel;
  settlements: Settlements;
}

/** One subscription. It has its own channel, so that its errors and its prefetch do not affect others. */
export class RabbitmqConsumer {
  private readonly logger = new Logger(RabbitmqConsumer.name);
  private readonly deliveries: OpenDeliveries;
  private readonly stopping = new AbortController();
  private readonly stopped = once(this.stopping.signal, 'abort');
  private subscribed: Deliveries | undefined;
  /** The reads of a watched queue. */
  private reads: Deliveries | undefined;
  private consuming: Promise<void> = Promise.resolve();
  private answeredAt = -Infinity;
  private isRefused = false;
  /** The number of deliveries, and of reads of an empty queue. */
  answers = 0;

  constructor(
    private readonly topology: Topology,
    private readonly declareTopology: Declare,
    private readonly options: ConsumeOptions,
    handler: (delivery: IncomingDelivery) => Promise<void> | void,
  ) {
    this.deliveries = new OpenDeliveries(handler);
  }

  /** Whether a watched queue has delivered a moment ago, or had nothing to deliver. */
  get isReceiving(): boolean {
    return !this.options.watched || performance.now() - this.answeredAt < LATE_MS;
  }

  /** Whether the queue has to answer: it is watched, and this consumer may have more deliveries. */
  get isAwaited(): boolean {
    const { watched = false } = this.options;
    return watched && !this.isRefused && !this.stopping.signal.aborted && this.hasRoom;
  }

  /**
   * Consumes until this connection is lost. Resolves after the first attempt to subscribe.
   * @param reader reads a watched queue
   * @param disconnected aborted when the connection is lost
   */
  attach(model: ChannelModel, reader: RabbitmqReader, disconnected: AbortSignal): Promise<void> {
    return new Promise((attempted) => {
      this.consuming = this.consumeFrom(model, reader, disconnected, attempted);
    });
  }

  async cancel(): Promise<void> {
    await this.stop();
    await this.deliveries.settled();
    for (const { settlements, channel } of [this.subscribed, this.reads].filter(
      (each) => each !== undefined,
    )) {
      settlements.acknowledge();
      await channel.close().catch(() => undefined);
    }
  }

  /** Receives no further deliveries. Open deliveries stay open. */
  async stop(): Promise<void> {
    this.stopping.abort();
    // A frozen broker never answers.
    await settleWithin(STOP_TIMEOUT_MS, this.consuming);
  }

  private async consumeFrom(
    model: ChannelModel,
    reader: RabbitmqReader,
    disconnected: AbortSignal,
    attempted: () => void,
  ) {
    const ended = AbortSignal.any([this.stopping.signal, disconnected]);
    for (let failures = 0, isQueueMissing = false; !ended.aborted;) {
      try {
        const channel = await model.createChannel();
        const closing = new AbortController();
        const closed = once(closing.signal, 'abort');
        channel.once('close', () => closing.abort());
        let reason = new Error('RabbitMQ ended it');
        channel.on('error', (error) => (reason = error));
        // It was declared by the publisher, and may have been deleted since.
        if (isQueueMissing) await this.declareTopology(channel);
        const subscribed = answerWithin(SUBSCRIBE_TIMEOUT_MS, this.subscribe(channel));
        subscribed.catch(() => channel.close().catch(() => undefined));
        const { consumerTag } = await subscribed;
        attempted();
        failures = 0;
        this.isRefused = false;
        if (this.options.watched) {
          void this.readWhileIdle(reader, AbortSignal.any([ended, closing.signal])).catch((error: Error) => {
            // The event of a channel that was closed had the reason.
            if (closing.signal.aborted) return;
            reason = error;
            channel.close().catch(() => undefined);
          });
        }
        await Promise.race([closed, this.stopped]);
        if (this.stopping.signal.aborted) await channel.cancel(consumerTag);
        else throw reason;
      } catch (error) {
        if (!ended.aborted) this.warn(error as Error);
        const { code } = error as { code?: number };
        isQueueMissing = code === NOT_FOUND;
        this.isRefused = code === ACCESS_REFUSED;
        failures += 1;
      }
      attempted();
      await pause(backoffMs(failures, LONGEST_PAUSE_MS), undefined, { signal: ended }).catch(() => undefined);
    }
    attempted();
  }

  private async subscribe(channel: Channel) {
    const { prefetch, bindings = [] } = this.options;
    const queue = await this.declare(channel);
    for (const { exchange, routingKey } of bindings) await channel.bindQueue(queue, exchange, routingKey);
    await channel.prefetch(prefetch);
    const settlements = new Settlements(channel);
    this.subscribed = { channel, settlements };
    const consumer = await channel.consume(queue, (message) => {
      if (message) this.noteAnswer();
      this.onMessage(channel, settlements, message);
    });
    this.noteAnswer();
    return consumer;
  }

  /**
   * Reads the queue while it delivers nothing: a consumer alone cannot know whether there is nothing to deliver. A read
   * needs the majority of the queue's nodes, as a delivery does. A message that it finds is handled as any other.
   */
  private async readWhileIdle(reader: RabbitmqReader, ended: AbortSignal): Promise<void> {
    for (let missed = 0, answers = this.answers; ;) {
      await pause(IDLE_MS, undefined, { signal: ended, ref: false }).catch(() => undefined);
      if (ended.aborted) return;
      if (answers !== this.answers) missed = 0;
      answers = this.answers;
      if (performance.now() - this.answeredAt < IDLE_MS / 2 || !this.hasRoom) continue;
      const isMissed = await this.read(reader);
      if (isMissed) missed += 1;
      if (missed === MAX_MISSED) throw new Error('Messages wait, and RabbitMQ delivers none of them');
    }
  }

  /** @returns whether the queue had a message */
  private async read(reader: RabbitmqReader): Promise<boolean> {
    try {
      const { channel, settlements } = (this.reads ??= await openReads(reader));
      const message = await reader.get(channel, this.options.queue);
      if (message) this.onMessage(channel, settlements, message);
      else this.noteAnswer();
      return message !== false;
    } catch (error) {
      this.reads = undefined;
      const { code } = error as { code?: number };
      if (code === NOT_FOUND || code === ACCESS_REFUSED) throw error;
      // The queue does not answer, or the connection of the reader was lost.
      return false;
    }
  }

  private get hasRoom(): boolean {
    return this.deliveries.size < this.options.prefetch;
  }

  private noteAnswer(): void {
    this.answers += 1;
    this.answeredAt = performance.now();
  }

  private async declare(channel: Channel): Promise<string> {
    const { queue, bindings, lifetime } = this.options;
    if (lifetime === 'subscription') {
      // The broker names the queue: the queue of the last connection may still exist, and is exclusive to it.
      return (await channel.assertQueue('', { exclusive: true, autoDelete: true })).queue;
    }
    if (bindings) await declareQueue(channel, callsQueue(queue, this.topology));
    return queue;
  }

  private onMessage(channel: Channel, settlements: Settlements, message: Message | null): void {
    if (!message) {
      channel.close().catch(() => undefined);
      return;
    }
    const settle = (settlement: Settlement) => settlements.settle(message, settlement);
    if (this.stopping.signal.aborted) return settle('requeue');

    const body = readBody(message.content, this.options.limits);
    if (body instanceof MalformedMessageError && this.options.malformed !== 'deliver') {
      this.logger.warn(`Rejected a message from ${this.options.queue}: ${body.message}`);
      return settle('reject');
    }
    this.deliveries.add(incomingMessage(message, body), settle);
  }

  private warn(error: Error): void {
    this.logger.warn(`Subscription to ${this.options.queue}: ${error.message}`);
  }
}
