import { shownAddress } from './amqp-address';
import { TransportError } from './transport';

const ACCESS_REFUSED = 403;
const NOT_FOUND = 404;

interface AmqpError extends Error {
  code?: number | string;
}

/** The error for an attempt to connect, from the error of RabbitMQ or of the network. */
export function connectError(error: unknown, url: string): TransportError {
  const { code, message } = error as AmqpError;
  const where = shownAddress(url);
  const user = decodeURIComponent(new URL(url).username) || 'guest';
  if (/403 \(ACCESS-REFUSED\)|ACCESS_REFUSED/.test(message)) {
    return new TransportError('refused', `${where} refuses the user name or the password of "${user}".`);
  }
  // The library does not say why RabbitMQ closed the connection when it was to open the virtual host.
  if (/got <ConnectionClose/.test(message)) {
    return new TransportError(
      'refused',
      `The virtual host does not exist, or the user "${user}" may not use it: ${where}.`,
    );
  }
  // The AggregateError of a host with two addresses has a code and no message.
  return new TransportError('unavailable', `Cannot connect to ${where}: ${message || String(code)}.`);
}

/** The error for a channel that RabbitMQ closed. */
export function channelError(error: unknown): TransportError {
  if (error instanceof TransportError) return error;
  const { code, message } = error as AmqpError;
  const said = /"([^"]*)"/.exec(message)?.[1] ?? message;
  if (code === ACCESS_REFUSED) {
    return new TransportError('refused', `RabbitMQ refuses it, because a permission is missing: ${said}.`);
  }
  if (code === NOT_FOUND) {
    return new TransportError(
      'missing',
      `The worker waits until the server has declared what is missing: ${said}.`,
    );
  }
  return new TransportError('unavailable', `RabbitMQ: ${message}.`);
}

/** The routing key that RabbitMQ refuses; undefined if it refuses the whole exchange, or something else. */
export function refusedRoutingKey(error: TransportError): string | undefined {
  return /topic '([^']*)'/.exec(error.message)?.[1];
}
