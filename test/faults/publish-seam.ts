import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { ConfirmChannel as Channel, Options } from 'amqplib';

const load = createRequire(__filename);
// By its path, since the library exports the class nowhere.
const { ConfirmChannel } = load(join(dirname(load.resolve('amqplib')), 'lib', 'channel_model.js')) as {
  ConfirmChannel: { prototype: Channel };
};

interface Sent {
  type: string;
  messageId: string;
}

export interface PublishWatcher {
  /** Its bytes are with the system. */
  written(message: Sent): void;
  /** @returns whether the sender may hear of it */
  confirmed(message: Sent): boolean;
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

/** Tells of every message that this process has for RabbitMQ, from outside: by wrapping the client library. */
export function watchPublishes(watcher: PublishWatcher): void {
  // eslint-disable-next-line @typescript-eslint/unbound-method -- called with its own this below
  const original = ConfirmChannel.prototype.publish as Publish;
  const publish: Publish = function (exchange, routingKey, content, options, confirm) {
    const message = { type: String(options.type), messageId: String(options.messageId) };
    const room = original.call(this, exchange, routingKey, content, options, (error) => {
      if (error || watcher.confirmed(message)) confirm(error);
    });
    // The library writes to the socket in an immediate of its own, which it asks for only after this one.
    setImmediate(() => setImmediate(() => watcher.written(message)));
    return room;
  };
  ConfirmChannel.prototype.publish = publish as Channel['publish'];
}
