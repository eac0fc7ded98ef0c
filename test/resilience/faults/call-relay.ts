import { connect } from 'amqplib';
import { setTimeout as pause } from 'node:timers/promises';
import { RabbitmqBroker } from '../../../src/platform/messaging/rabbitmq.broker';
import type { Topology } from '../../../src/platform/messaging/topology';
import type { CallStart } from '../../../src/platform/messaging/wire';
import { until } from '../../support/until';
import { IS_CLAIMED_LATE, LATE_MS } from '../harness/numbers';
import type { Services } from './services';

const PREFETCH = 500;
const RECOVERY_TIMEOUT_MS = 120_000;

/** Passes calls on to the queue of the workers: some of them late, so that they are claimed late. */
export class CallRelay {
  private constructor(
    readonly queue: string,
    private readonly broker: RabbitmqBroker,
  ) {}

  /** The topology must have been declared. */
  static async start({ rabbitmq }: Services, topology: Topology): Promise<CallRelay> {
    const queue = `${topology.calls}.workers`;
    const connection = await connect(rabbitmq.url);
    const channel = await connection.createChannel();
    await channel.assertQueue(queue, { durable: true, arguments: { 'x-queue-type': 'quorum' } });
    await connection.close();
    const broker = new RabbitmqBroker({
      urls: [rabbitmq.url],
      topology,
      publishTimeoutMs: 1_000,
      declares: false,
    });
    await broker.open();
    await broker.consume({ queue: topology.callsQueue, prefetch: PREFETCH }, async (delivery) => {
      const { type, messageId, body } = delivery.message;
      if (IS_CLAIMED_LATE.test((body as CallStart).to_number)) await pause(LATE_MS);
      const passed = { exchange: '', routingKey: queue, type, messageId, body: body as CallStart };
      const isConfirmed = () =>
        broker.publish(passed).then(
          () => true,
          () => false,
        );
      await until(isConfirmed, RECOVERY_TIMEOUT_MS);
      delivery.ack();
    });
    return new CallRelay(queue, broker);
  }

  stop(): Promise<void> {
    return this.broker.close();
  }
}
