import { EventEmitter } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { watchTimers } from '../../../test/support/timers';
import { followChanges } from '../src/cli/live';

/** The time limit of an attempt to connect. */
const TIMEOUT_MS = 20_000;

const STREAM = { 'content-type': 'text/event-stream; charset=utf-8' };

type Answer = (response: ServerResponse) => void;

const EVENT = 'event: call\ndata: {"a":1}\n\n';

const stream: Answer = (response) => void response.writeHead(200, STREAM).end(EVENT);
const refuse: Answer = (response) =>
  void response
    .writeHead(429, { 'content-type': 'application/json', 'retry-after': '0' })
    .end('{"status":429,"message":"Too many requests","error_code":"RATE_LIMITED"}');
const cut: Answer = (response) => response.destroy();
const page: Answer = (response) =>
  void response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>Welcome</h1>');

/** Each event that is read. */
const events = new EventEmitter();

/** Follows a server that gives these answers in turn. @returns the number of events before the failure */
async function follow(...answers: Answer[]): Promise<[number, unknown, notes: number]> {
  const rest = [...answers];
  const server = createServer((_request, response) => rest.shift()?.(response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let count = 0;
  let notes = 0;
  try {
    const output = { note: () => void (notes += 1) };
    for await (const { data } of followChanges({ url, apiKey: 'key' }, output, { timeoutMs: TIMEOUT_MS })) {
      expect(data).toEqual({ a: 1 });
      count += 1;
      events.emit('event');
    }
    throw new Error('The stream ends by a failure only');
  } catch (error) {
    return [count, error, notes];
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('The stream of changes', () => {
  test('is opened again after it was lost, until the answer is not of Parley', async () => {
    const [events, failure, notes] = await follow(stream, refuse, cut, stream, page);
    expect(events).toBe(2);
    // Each loss once, whatever the attempts to connect again.
    expect(notes).toBe(2);
    expect(failure).toMatchObject({ status: 200, code: 'INVALID_RESPONSE' });
  });

  test('is opened at the third attempt, and not at an address that refuses, or that has another page', async () => {
    expect(await follow(refuse, cut, stream, page)).toEqual([1, expect.anything(), 1]);
    expect(await follow(refuse, cut, refuse)).toEqual([
      0,
      expect.objectContaining({ code: 'RATE_LIMITED' }),
      0,
    ]);
    expect(await follow(page)).toEqual([0, expect.objectContaining({ code: 'INVALID_RESPONSE' }), 0]);
  });

  test('has a time limit for each attempt to connect, and none for the events', async () => {
    const limits = watchTimers(TIMEOUT_MS);
    const silence: Answer = () => limits.end();
    expect(await follow(silence, silence, silence)).toEqual([
      0,
      expect.objectContaining({ code: 'TIMEOUT' }),
      0,
    ]);
    expect(await follow(silence, stream, page)).toEqual([1, expect.objectContaining({ status: 200 }), 1]);

    const twoEvents: Answer = (response) => {
      response.writeHead(200, STREAM).write(EVENT);
      events.once('event', () => {
        limits.end();
        response.end(EVENT);
      });
    };
    expect(await follow(twoEvents, page)).toEqual([2, expect.objectContaining({ status: 200 }), 1]);
    limits.stop();
  });
});
