import { randomUUID } from 'node:crypto';
import { Controller, Global, type INestApplication, Logger, Module, type OnModuleInit } from '@nestjs/common';
import { Ctx, EventPattern, MessagePattern, Payload } from '@nestjs/microservices';
import { Test } from '@nestjs/testing';
import { CONFIG } from '../../src/config';
import { BrokerServer } from '../../src/platform/messaging/broker.server';
import { listenToBroker } from '../../src/platform/messaging/listen-to-broker';
import { MalformedMessageError } from '../../src/platform/messaging/malformed-message.error';
import {
  IncomingMessage,
  MessageBroker,
  RequestTimeoutError,
} from '../../src/platform/messaging/message-broker';
import { MessagingModule } from '../../src/platform/messaging/messaging.module';
import { Topology, topologyNames } from '../../src/platform/messaging/topology';
import { deleteTopology, rabbitmqUrl } from '../support/rabbitmq';
import { until } from '../support/until';
import { callStart, collect, kinds } from '../support/brokers';

type Handle = (body: unknown, message: IncomingMessage) => Promise<unknown>;
let onEvent: jest.Mock<Promise<unknown>, Parameters<Handle>>;
let onClaim: jest.Mock<Promise<unknown>, Parameters<Handle>>;
let initializations: number;

const claimed: Handle = () => Promise.resolve({ type: 'call.claimed.v1', body: { token: 'secret' } });

@Controller()
class CallMessagesController implements OnModuleInit {
  onModuleInit() {
    initializations += 1;
  }

  @EventPattern('call.ended.v1')
  ended(@Payload() body: unknown, @Ctx() message: IncomingMessage) {
    return onEvent(body, message);
  }

  @MessagePattern('call.claim.v1')
  claim(@Payload() body: unknown, @Ctx() message: IncomingMessage) {
    return onClaim(body, message);
  }
}

describe.each(kinds)('message handlers on the %s broker', (kind) => {
  let app: INestApplication;
  let server: BrokerServer;
  let broker: MessageBroker;
  let topology: Topology;
  let prefix: string;

  beforeEach(async () => {
    onEvent = jest.fn<Promise<unknown>, Parameters<Handle>>();
    onClaim = jest.fn(claimed);
    initializations = 0;
    prefix = `test-${randomUUID()}`;
    topology = topologyNames(prefix);
    const config = {
      RABBITMQ_URL: kind === 'rabbitmq' ? [rabbitmqUrl] : undefined,
      BROKER_PREFIX: prefix,
      PUBLISH_TIMEOUT_MS: 2_000,
    };

    @Global()
    @Module({ providers: [{ provide: CONFIG, useValue: config }], exports: [CONFIG] })
    class ConfigModule {}

    const testing = await Test.createTestingModule({
      imports: [ConfigModule, MessagingModule],
      controllers: [CallMessagesController],
    }).compile();
    app = testing.createNestApplication({ logger: false });
    await app.init();
    server = await listenToBroker(app, {
      queues: [
        { queue: topology.claimsQueue, prefetch: 10 },
        { queue: topology.eventsQueue, prefetch: 10 },
      ],
    });
    broker = app.get(MessageBroker);
  });

  afterEach(async () => {
    await app.close();
    if (kind === 'rabbitmq') await deleteTopology(prefix);
  });

  const callEnded = (type = 'call.ended.v1') =>
    callStart(topology, { exchange: topology.events, routingKey: 'call.ended', type });

  const claim = (timeoutMs = 5_000) =>
    broker.request(
      {
        exchange: '',
        routingKey: topology.claimsQueue,
        type: 'call.claim.v1',
        messageId: randomUUID(),
        body: { claim_id: 'claim-1' },
      },
      timeoutMs,
    );

  /** The messages that the handlers left in the queue of events. */
  const leftEvents = async () => {
    await server.close();
    const last = callEnded();
    await broker.publish(last);
    const { deliveries, messageIds } = await collect(broker, { queue: topology.eventsQueue });
    await until(() => messageIds().includes(last.messageId));
    return deliveries.slice(0, -1).map(({ message }) => message);
  };

  it('initializes the application once', () => {
    expect(initializations).toBe(1);
  });

  it('delivers an event to the handler for its type, and acknowledges it when the handler has succeeded', async () => {
    const event = callEnded();
    await broker.publish(event);

    await until(() => onEvent.mock.calls.length);

    expect(onEvent).toHaveBeenCalledWith(
      event.body,
      expect.objectContaining({ messageId: event.messageId, routingKey: 'call.ended' }),
    );
    expect(await leftEvents()).toEqual([]);
  });

  it('repeats an event without requeuing it when its handler failed for a temporary reason', async () => {
    onEvent
      .mockRejectedValueOnce(new Error('The database is away'))
      .mockRejectedValueOnce(new Error('The database is still away'));
    await broker.publish(callEnded());

    await until(() => onEvent.mock.calls.length === 3);

    expect(onEvent.mock.calls.map(([, message]) => message.redelivered)).toEqual([false, false, false]);
    expect(await leftEvents()).toEqual([]);
  });

  it('requeues an event that was not handled when the server closes', async () => {
    onEvent.mockRejectedValue(new Error('The database is away'));
    const event = callEnded();
    await broker.publish(event);
    await until(() => onEvent.mock.calls.length);

    const left = await leftEvents();

    expect(left).toMatchObject([{ messageId: event.messageId, redelivered: true }]);
  });

  it.each([
    ['that its handler refuses as malformed', 'call.ended.v1', 'call.ended.v1'],
    ['of a type without a handler', 'call.for +15557771234', 'unknown'],
  ])(
    'puts an event %s among the dead letters, and logs that without its content',
    async (_, type, logged) => {
      onEvent.mockRejectedValue(new MalformedMessageError('occurred_at is not a time'));
      const warn = jest.spyOn(Logger.prototype, 'warn');
      const event = callEnded(type);
      await broker.publish(event);

      const dead = await collect(broker, { queue: topology.deadEventsQueue });

      await until(() => dead.deliveries.length);
      expect(dead.messageIds()).toEqual([event.messageId]);
      expect(onEvent.mock.calls.length).toBeLessThanOrEqual(1);
      expect(warn).toHaveBeenCalledWith({
        msg: 'Rejected a message',
        type: logged,
        messageId: event.messageId,
        reason: expect.any(String) as string,
      });
      warn.mockRestore();
    },
  );

  it.each([
    ['large', { text: 'x'.repeat(65_536) }, 'it has 65547 bytes, and 65536 is the limit'],
    ['full of values', { list: Array(8_000).fill(0) }, 'it has more than 8000 values'],
    [
      'deep',
      JSON.parse('{"a":'.repeat(33) + '1' + '}'.repeat(33)) as object,
      'it is nested more than 32 levels deep',
    ],
  ])(
    'puts an event that is too %s among the dead letters, once and without a handler',
    async (_, body, reason) => {
      const warn = jest.spyOn(Logger.prototype, 'warn');
      const [refused, taken] = [{ ...callEnded(), body }, callEnded()];
      await broker.publish(refused);
      await broker.publish(taken);

      const dead = await collect(broker, { queue: topology.deadEventsQueue });

      await until(() => dead.deliveries.length && onEvent.mock.calls.length);
      expect(dead.messageIds()).toEqual([refused.messageId]);
      expect(onEvent.mock.calls.map(([, { messageId }]) => messageId)).toEqual([taken.messageId]);
      expect(warn.mock.calls).toEqual([
        [{ msg: 'Rejected a message', type: refused.type, messageId: refused.messageId, reason }],
      ]);
      warn.mockRestore();
    },
  );

  it('answers a claim', async () => {
    const reply = await claim();

    expect(reply).toMatchObject({ type: 'call.claimed.v1', body: { token: 'secret' } });
    expect(onClaim).toHaveBeenCalledWith({ claim_id: 'claim-1' }, expect.anything());
  });

  it('drops a claim that failed, so that the next one is answered', async () => {
    onClaim.mockRejectedValueOnce(new Error('The database is away'));

    await expect(claim(50)).rejects.toBeInstanceOf(RequestTimeoutError);

    await expect(claim()).resolves.toMatchObject({ type: 'call.claimed.v1' });
    expect(onClaim).toHaveBeenCalledTimes(2);
  });

  it('continues when the requester of a claim is gone', async () => {
    let answer: (reply: unknown) => void = () => {};
    onClaim.mockReturnValueOnce(new Promise((resolve) => (answer = resolve)));
    await expect(claim(50)).rejects.toBeInstanceOf(RequestTimeoutError);

    answer({ type: 'call.claimed.v1', body: {} });

    await expect(claim()).resolves.toMatchObject({ type: 'call.claimed.v1' });
  });

  it('waits for running handlers before it closes', async () => {
    let finished = false;
    let finish = () => {};
    onEvent.mockReturnValue(new Promise<void>((resolve) => (finish = resolve)).then(() => (finished = true)));
    await broker.publish(callEnded());
    await until(() => onEvent.mock.calls.length);

    const closing = app.close().then(() => expect(finished).toBe(true));
    finish();

    await closing;
  });
});
