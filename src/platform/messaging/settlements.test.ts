import type { Channel, Message } from 'amqplib';
import { Settlements } from './settlements';

const message = (deliveryTag: number) => ({ fields: { deliveryTag } }) as Message;

/** Records the frames that would be sent. */
function recorded() {
  const frames: string[] = [];
  const channel = {
    ack: ({ fields }: Message, allUpTo = false) =>
      frames.push(`ack ${allUpTo ? 'to ' : ''}${fields.deliveryTag}`),
    nack: ({ fields }: Message, _: boolean, requeue: boolean) =>
      frames.push(`${requeue ? 'requeue' : 'reject'} ${fields.deliveryTag}`),
  } as unknown as Channel;
  return { frames, settlements: new Settlements(channel) };
}

const immediate = () => new Promise((resolve) => setImmediate(resolve));

describe('Settlements', () => {
  test('acknowledge the deliveries of one turn by one frame', async () => {
    const { frames, settlements } = recorded();
    for (const tag of [2, 1, 3]) settlements.settle(message(tag), 'ack');
    await immediate();
    expect(frames).toEqual(['ack to 3']);
  });

  test('do not wait for a delivery that is still open, and never acknowledge it', async () => {
    const { frames, settlements } = recorded();
    for (const tag of [1, 3, 4]) settlements.settle(message(tag), 'ack');
    await immediate();
    expect(frames).toEqual(['ack to 1', 'ack 3', 'ack 4']);
    settlements.settle(message(5), 'ack');
    await immediate();
    expect(frames.slice(3)).toEqual(['ack 5']);
    for (const tag of [2, 6]) settlements.settle(message(tag), 'ack');
    await immediate();
    expect(frames.slice(4)).toEqual(['ack to 6']);
  });

  test('refuse a delivery at once', async () => {
    const { frames, settlements } = recorded();
    settlements.settle(message(1), 'requeue');
    settlements.settle(message(2), 'reject');
    settlements.settle(message(3), 'ack');
    await immediate();
    expect(frames).toEqual(['requeue 1', 'reject 2', 'ack to 3']);
  });
});
