import { once } from 'node:events';
import { type AddressInfo, connect, createServer as createTcpServer } from 'node:net';
import { Transform } from 'node:stream';

/** A proxy before several processes, which takes the first one that accepts connections. */
export async function startProxy(ports: number[]) {
  const held: (() => void)[] = [];
  const proxy = {
    url: '',
    /** WebSockets wait here until {@link release}. */
    holdsStreams: false,
    /** Nothing that the processes send reaches the clients. */
    losesAnswers: false,
    release: () => held.splice(0).forEach((connectNow) => connectNow()),
    close: () => server.close(),
  };
  const server = createTcpServer((client) => {
    const join = ([port, ...others]: number[], first: Buffer) => {
      if (port === undefined) return void client.destroy();
      const upstream = connect(port, '127.0.0.1');
      let isConnected = false;
      const answers = new Transform({
        transform: (data, _, done) => done(null, proxy.losesAnswers ? undefined : data),
      });
      upstream.once('connect', () => {
        isConnected = true;
        upstream.write(first);
        client.pipe(upstream).pipe(answers).pipe(client);
      });
      upstream.on('error', () => (isConnected ? client.destroy() : join(others, first)));
      upstream.on('close', () => isConnected && client.destroy());
      client.on('close', () => upstream.destroy());
    };
    client.on('error', () => undefined);
    client.once('data', (first: Buffer) => {
      client.pause();
      const isHeld = proxy.holdsStreams && /^upgrade: websocket/im.test(first.toString());
      if (isHeld) held.push(() => join(ports, first));
      else join(ports, first);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  proxy.url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}
