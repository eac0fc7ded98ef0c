import type { Request, Response } from 'express';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { readObject } from '../../src/platform/http/json-body';
import { readForm } from '../../src/platform/http/multipart';
import type { Config } from '../../src/config';

type Read = (request: Request, response: Response) => Promise<unknown>;

/** The outcome of reading a body after the client has closed the connection. */
async function readAfterClose(contentType: string, read: Read): Promise<unknown> {
  const outcome = new Promise((resolve) => {
    const server = createServer((request: IncomingMessage, response: ServerResponse) => {
      request.once('close', () => {
        const expressRequest = Object.assign(request, { is: () => contentType });
        read(expressRequest as never, response as never).then(resolve, (error: Error) =>
          resolve(error.message),
        );
        server.close();
      });
      socket.destroy();
    });
    let socket: Socket;
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      socket = connect(port, '127.0.0.1');
      socket.write(
        `POST / HTTP/1.1\r\nHost: a\r\nContent-Type: ${contentType}\r\nContent-Length: 1000\r\n\r\n{`,
      );
    });
  });
  return outcome;
}

describe('A request whose client disconnected before the body was read', () => {
  test('ends if the body is JSON', async () => {
    expect(await readAfterClose('application/json', readObject)).toBe('Client closed the connection');
  });

  test('ends if the connection is closed at the moment in which the body is read', async () => {
    const answer = new Promise((resolve) => {
      const server = createServer((request, response) => {
        const expressRequest = Object.assign(request, { is: () => 'application/json' });
        // The request does not have its event yet.
        request.socket.destroy();
        server.close();
        readObject(expressRequest as never, response as never).then(resolve, (error: Error) =>
          resolve(error.message),
        );
      });
      server.listen(0, '127.0.0.1', () => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.on('error', () => undefined);
        socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}');
      });
    });

    expect(await answer).toBe('Client closed the connection');
  });

  test('ends if the body is a form', async () => {
    const options = { file: 'file', maxBytes: () => 1_000 };
    const read: Read = (request, response) =>
      readForm(request, response, options, { PARLEY_DATA: tmpdir() } as Config);

    expect(await readAfterClose('multipart/form-data; boundary=b', read)).toBe(
      'Client closed the connection',
    );
  });
});
