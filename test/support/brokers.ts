import { randomUUID } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { InProcessBroker } from '../../src/platform/messaging/in-process.broker';
import {
  ConsumeOptions,
  IncomingDelivery,
  MessageBroker,
  OutgoingMessage,
} from '../../src/platform/messaging/message-broker';
import { RabbitmqBroker } from '../../src/platform/messaging/rabbitmq.broker';
import { Topology, topologyNames } from '../../src/platform/messaging/topology';
import { deleteTopology, rabbitmqUrl } from './rabbitmq';

// The failures that these tests cause are warnings and errors of the log.
Logger.overrideLogger(false);

export type Kind = MessageBroker['kind'];

/** The broker of the Jest project. */
export const kinds: Kind[] = [globalThis.BROKER ?? 'in-process'];

/** @param publishTimeoutMs the time that RabbitMQ has to confirm a message */
export function createBroker(kind: Kind, topology: Topology, publishTimeoutMs = 2_000): MessageBroker {
  return kind === 'rabbitmq'
    ? new RabbitmqBroker({ urls: [rabbitmqUrl ?? ''], topology, publishTimeoutMs })
    : new InProcessBroker(topology);
}

/** Gives each test an open broker with its own topology. */
export function useBroker(kind: Kind, publishTimeoutMs?: number) {
  const context = {
    prefix: '',
    broker: undefined as unknown as MessageBroker,
    topology: undefined as unknown as Topology,
    poolQueue: () => {
      const name = `${context.prefix}.pool.${pools.length}`;
      pools.push(name);
      return name;
    },
  };
  let pools: string[];

  beforeEach(async () => {
    pools = [];
    context.prefix = `test-${randomUUID()}`;
    context.topology = topologyNames(context.prefix);
    context.broker = createBroker(kind, context.topology, publishTimeoutMs);
    await context.broker.open();
  });

  afterEach(async () => {
    await context.broker.close();
    if (kind === 'rabbitmq') await deleteTopology(context.prefix, pools);
  });

  return context;
}

export function callStart(topology: Topology, changes: Partial<OutgoingMessage> = {}): OutgoingMessage {
  return {
    exchange: topology.calls,
    routingKey: 'call.start.phone.agent-1',
    type: 'call.start.v1',
    messageId: randomUUID(),
    body: { greeting: 'Grüß Gott' },
    ...changes,
  };
}

/** Collects the deliveries of a queue, which stay open until the test settles them. */
export async function collect(broker: MessageBroker, options: Partial<ConsumeOptions> & { queue: string }) {
  const deliveries: IncomingDelivery[] = [];
  const subscription = await broker.consume({ prefetch: 100, ...options }, (delivery) => {
    deliveries.push(delivery);
  });
  return {
    deliveries,
    messageIds: () => deliveries.map(({ message }) => message.messageId),
    cancel: () => subscription.cancel(),
  };
}
