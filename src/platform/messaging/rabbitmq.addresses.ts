import type { Options } from 'amqplib';

/** RabbitMQ sends something at least each half of it, also while nothing happens. */
const HEARTBEAT_SECONDS = 5;

/**
 * The addresses of the nodes of one RabbitMQ, which are tried in turn. The first one is random, so that the connections
 * of many servers spread over the nodes.
 */
export class RabbitmqAddresses {
  /** The address in use. It is always the same object, because amqplib reads it again for each attempt. */
  readonly current: ConnectOptions;
  private index: number;

  /** @param urls at least one */
  constructor(private readonly urls: string[]) {
    this.index = Math.floor(Math.random() * urls.length);
    this.current = connectOptions(urls[this.index] ?? '');
  }

  advance(): void {
    this.index = (this.index + 1) % this.urls.length;
    Object.assign(this.current, connectOptions(this.urls[this.index] ?? ''));
  }
}

export type ConnectOptions = { [Name in keyof Omit<Options.Connect, 'credentials'>]: Options.Connect[Name] };

/** The parts of an AMQP URL, as https://www.rabbitmq.com/docs/uri-spec and uri-query-parameters describe it. */
function connectOptions(url: string): ConnectOptions {
  const { protocol, hostname, port, username, password, pathname, searchParams } = new URL(url);
  const readNumber = (name: string) => (searchParams.has(name) ? Number(searchParams.get(name)) : undefined);
  const hasUser = username !== '' || password !== '';
  return {
    protocol: protocol.replace(':', ''),
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? undefined : Number(port),
    username: hasUser ? decodeURIComponent(username) : undefined,
    password: hasUser ? decodeURIComponent(password) : undefined,
    // amqplib decodes this part itself.
    vhost: pathname.slice(1),
    heartbeat: readNumber('heartbeat') ?? HEARTBEAT_SECONDS,
    frameMax: readNumber('frameMax'),
    channelMax: readNumber('channelMax'),
    locale: searchParams.get('locale') ?? undefined,
  };
}
