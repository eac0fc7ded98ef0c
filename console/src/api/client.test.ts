import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { send } from './client';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const refuse =
  (status: number, error_code: string): Answer =>
  (_, response) =>
    void response
      .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
      .end(JSON.stringify({ status, message: 'Refused', error_code }));
const cut: Answer = (request) => request.socket.destroy();
const silence: Answer = () => undefined;
const done: Answer = (_, response) => void response.end('{"status":200,"message":"Done"}');

const BUSY = refuse(503, 'DATABASE_BUSY');
const NOT_FOUND = refuse(404, 'AGENT_NOT_FOUND');

/** Sends a request to a server that gives these answers in turn. @returns the status or the error, and the requests */
async function sendTo(
  answers: Answer[],
  init: RequestInit,
  sending: (request: Request) => Promise<Response> = send,
) {
  const rest = [...answers];
  let requests = 0;
  const server = createServer((request, response) => {
    requests += 1;
    (rest.shift() ?? done)(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const result = await sending(new Request(url, init)).then(
      ({ status }): unknown => status,
      (error: unknown) => error,
    );
    return { result, requests };
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('A request of the console', () => {
  test.each([
    ['GET', {}],
    ['PUT', {}],
    ['DELETE', {}],
    ['POST', { 'Idempotency-Key': 'once' }],
    ['PUT', { 'Idempotency-Key': 'once' }],
  ])('is repeated as by the client library: %s %j', async (method, headers) => {
    expect(await sendTo([BUSY, cut], { method, headers })).toEqual({ result: 200, requests: 3 });
  });

  test.each(['POST', 'PATCH'])('is sent once without a key: %s', async (method) => {
    const refused = expect.objectContaining({ status: 503, code: 'DATABASE_BUSY' }) as unknown;
    expect(await sendTo([BUSY], { method })).toEqual({ result: refused, requests: 1 });
    const lost = expect.objectContaining({ status: 0, isSilent: true }) as unknown;
    expect(await sendTo([cut], { method })).toEqual({ result: lost, requests: 1 });
  });

  test('has deleted what it no longer finds after an answer was lost', async () => {
    expect(await sendTo([cut, NOT_FOUND], { method: 'DELETE' })).toEqual({ result: 204, requests: 2 });
    const refused = expect.objectContaining({ status: 404, code: 'AGENT_NOT_FOUND' }) as unknown;
    expect(await sendTo([BUSY, NOT_FOUND], { method: 'DELETE' })).toEqual({ result: refused, requests: 2 });
  });

  test('has a time limit for each attempt', async () => {
    const limited = (timeoutMs: number) => (request: Request) => send(request, timeoutMs);
    expect(await sendTo([silence], {}, limited(1_500))).toEqual({ result: 200, requests: 2 });
    const lost = expect.objectContaining({ status: 0, isSilent: true }) as unknown;
    expect(await sendTo([silence, silence, silence], {}, limited(200))).toEqual({
      result: lost,
      requests: 3,
    });
  });
});
