import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ConfirmChannel as Channel, Options } from 'amqplib';

const load = createRequire(__filename);
// Loaded by its path, because the library does not export the class.
const { ConfirmChannel } = load(join(dirname(load.resolve('amqplib')), 'lib', 'channel_model.js')) as {
  ConfirmChannel: { prototype: Channel };
};

interface PublishedMessage {
  type: string;
  messageId: string;
}

export interface PublishWatcher {
  /** Called when the bytes of the message were passed to the operating system. */
  written(message: PublishedMessage): void;
  /** @returns whether the confirm is passed on to the sender */
  confirmed(message: PublishedMessage): boolean;
}

type Confirm = (error: Error | null) => void;
type Publish = (
  this: Channel,
  exchange: string,
  routingKey: string,
  content: Buffer,
  options: Options.Publish,
  confirm: Confirm,
) => boolean;

/** Reports every message that this process publishes to RabbitMQ, by wrapping the client library. */
export function watchPublishes(watcher: PublishWatcher): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = ConfirmChannel.prototype.publish as Publish;
  const publish: Publish = function (exchange, routingKey, content, options, confirm) {
    const message = { type: String(options.type), messageId: String(options.messageId) };
    const hasRoom = original.call(this, exchange, routingKey, content, options, (error) => {
      if (error || watcher.confirmed(message)) confirm(error);
    });
    // The library writes to the socket in a setImmediate callback that it schedules after this one.
    setImmediate(() => setImmediate(() => watcher.written(message)));
    return hasRoom;
  };
  ConfirmChannel.prototype.publish = publish as Channel['publish'];
}
