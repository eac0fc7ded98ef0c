import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { fakeServer } from '@parley/worker/testing';

describe('call.allowTransfer', () => {
  const requests: unknown[] = [];
  const answers: [status: number, body: object | string][] = [];
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      requests.push([request.method, request.url, request.headers.authorization, JSON.parse(body)]);
      const [status, answer] = answers.shift() ?? [500, {}];
      response
        .writeHead(status, { 'content-type': 'application/json', 'retry-after': '0' })
        .end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  let url: string;

  beforeAll(async () => {
    await once(http.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());
  beforeEach(() => void requests.splice(0));

  const ALLOWED = { data: { to_number: '+442079460958', maximum_seconds: 3_600 } };
  const call_id = '019b76da-a800-7000-8000-00000000c0de';
  const asked = [
    'POST',
    `/api/calls/${call_id}/transfers`,
    'Bearer parley_call_1',
    { to_number: '+4402079460958' },
  ];

  async function ask(address = url) {
    const api = { url: address, token: 'parley_call_1', expires_at: '2100-01-01T00:00:00.000Z' };
    let result: unknown;
    await fakeServer({ apiKey: 'a-key' }).offer(
      async (call) => {
        result = await call.allowTransfer('+4402079460958').catch((error: Error) => error.message);
      },
      { api, start: { conversation_id: call_id } },
    );
    return result;
  }

  test('says which number may be called and for how long, with the credential of the call', async () => {
    answers.push([200, ALLOWED]);
    expect(await ask()).toEqual({ to: '+442079460958', maximumSeconds: 3_600 });
    expect(requests).toEqual([asked]);
  });

  test('asks again if the server cannot answer, at most three times', async () => {
    answers.push([503, {}], [200, '{"data": {"to_num'], [200, ALLOWED]);
    expect(await ask()).toEqual({ to: '+442079460958', maximumSeconds: 3_600 });
    answers.push([503, {}], [429, {}], [502, {}]);
    expect(await ask()).toBe('The transfer was refused with status 502: Bad Gateway');
    expect(requests).toHaveLength(6);
  });

  test('throws the reason why the server refuses it, and asks once', async () => {
    const message = 'to_number is on the do-not-call list of the workspace';
    answers.push([400, { message: 'Validation failed', errors: [{ field: 'body.to_number', message }] }]);
    expect(await ask()).toBe(`The transfer was refused with status 400: ${message}`);
    expect(requests).toEqual([asked]);
  });
});
