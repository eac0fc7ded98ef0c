import { setTimeout as pause } from 'node:timers/promises';
import { topologyNames } from '../src/platform/messaging/topology';
import { withChannel } from '../test/support/rabbitmq';
import type { Bench } from './benchmark';
import type { MeasuredServer } from './measured-server';

const POLL_MS = 20;
const TIMEOUT_MS = 300_000;

/** Measures how fast the queue of calls, which has no consumer, grows from its first message to `count` messages. */
export function untilQueued({ services }: Bench, { name, prefix }: MeasuredServer, count: number) {
  const { callsQueue } = topologyNames(prefix);
  return withChannel(async (channel) => {
    const deadline = performance.now() + TIMEOUT_MS;
    let first: { at: number; messages: number } | undefined;
    for (;;) {
      const at = performance.now();
      const { messageCount: messages } = await channel.checkQueue(callsQueue);
      if (messages > 0) first ??= { at, messages };
      if (first && messages >= count) {
        // The messages that were there at the first poll took as long as the rest, in proportion.
        const seconds = (at - first.at) / 1_000;
        return { calls: count, seconds: (seconds * count) / (messages - first.messages) };
      }
      if (at > deadline) throw new Error(`${name} has dispatched ${messages} of ${count} calls.`);
      await pause(POLL_MS);
    }
  }, services.rabbitmqUrl);
}
