import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ActionClient } from '../src/brain/action-client';
import { isPublicAddress } from '../src/net/public-address';

let server: Server;
let address: string;
let requests: object[] = [];
let answer: (response: ServerResponse) => void;

beforeAll(async () => {
  server = createServer((request, response) => {
    void request.toArray().then((parts: Buffer[]) => {
      requests.push({
        method: request.method,
        path: request.url,
        body: JSON.parse(Buffer.concat(parts).toString()) as unknown,
      });
      answer(response);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/book_table`;
});
beforeEach(() => (requests = []));
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

const anywhere = new ActionClient(() => true);
const signal = new AbortController().signal;

test('an action is sent to its address, and its answer is read', async () => {
  answer = (response) => response.end('{"booked":true}');
  expect(await anywhere.post(address, { arguments: { people: 2 } }, signal)).toEqual({ booked: true });
  expect(requests).toEqual([{ method: 'POST', path: '/book_table', body: { arguments: { people: 2 } } }]);
  answer = (response) => response.end('It is done.');
  expect(await anywhere.post(address, {}, signal)).toBe('It is done.');
});

test.each<[string, (response: ServerResponse) => void, string]>([
  ['a refusal', (response) => response.writeHead(409).end(), 'answered with status 409'],
  ['a redirect', (response) => response.writeHead(302, { location: address }).end(), 'status 302'],
  ['a large answer', (response) => response.end('x'.repeat(17_000)), 'larger than 16 KB'],
  ['a connection that is cut', (response) => response.destroy(), 'hang up'],
])('%s is an error that says why', async (_, how, sentence) => {
  answer = how;
  await expect(anywhere.post(address, {}, signal)).rejects.toThrow(sentence);
  expect(requests).toHaveLength(1);
});

test('an action that nobody needs any more ends', async () => {
  const controller = new AbortController();
  answer = () => controller.abort(new Error('The answer was interrupted'));
  await expect(anywhere.post(address, {}, controller.signal)).rejects.toThrow('interrupted');
});

test('private addresses are not reached, by number or by name', async () => {
  const client = new ActionClient();
  await expect(client.post(address, {}, signal)).rejects.toThrow('private');
  await expect(client.post(address.replace('127.0.0.1', 'localhost'), {}, signal)).rejects.toThrow('private');
  await expect(client.post('http://[::1]:1/', {}, signal)).rejects.toThrow('private');
  expect(requests).toEqual([]);
  for (const internal of [
    '10.0.0.1',
    '169.254.169.254',
    '168.63.129.16',
    '::ffff:8.8.8.8',
    '64:ff9b::1',
    'fe80::1%eth0',
  ])
    expect([internal, isPublicAddress(internal)]).toEqual([internal, false]);
  expect(isPublicAddress('93.184.215.14')).toBe(true);
});
