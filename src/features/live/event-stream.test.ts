import { once } from 'node:events';
import { createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { EventStream } from './event-stream';

describe('An event stream', () => {
  test('is cut when its client does not read', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const requested = once(server, 'request');
    const request = get({ port, host: '127.0.0.1' });
    const [, response] = (await requested) as [unknown, Response];
    // The little that Express adds to a response.
    response.status = () => response;
    response.set = (headers) => response.setHeaders(new Map(Object.entries(headers as object)));
    const stream = new EventStream(response);
    const [incoming] = (await once(request, 'response')) as [IncomingMessage];
    incoming.on('error', () => undefined).pause();

    const closed = new Promise<void>((resolve) => stream.onClose(resolve));
    const writing = setInterval(() => stream.send(`data: ${'x'.repeat(1_000_000)}\n\n`));
    await closed;
    clearInterval(writing);

    expect(response.writableFinished).toBe(false);
    server.close();
  });
});
