/** An address of RabbitMQ without its password, for the log. */
export function shownAddress(url: string): string {
  const { protocol, hostname, port, pathname } = new URL(url);
  const vhost = decodeURIComponent(pathname.slice(1)) || '/';
  return `RabbitMQ at ${hostname}:${port || (protocol === 'amqps:' ? 5671 : 5672)} (virtual host ${vhost})`;
}

/** The address with an interval of heartbeats, unless it has one: a dead peer is noticed after two of them. */
export function withHeartbeat(address: string, seconds: number): string {
  const url = new URL(address);
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', `${seconds}`);
  return url.toString();
}
