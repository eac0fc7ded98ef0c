import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fakeServer } from '@parley/worker/testing';

describe('call.record', () => {
  const requests: unknown[] = [];
  let status = 201;
  let answer: object = { message: 'Recording', data: { recording_url: 'https://a.example/1' } };
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const { authorization, 'content-type': type } = request.headers;
      requests.push([request.method, request.url, authorization, type, body]);
      response.writeHead(status, { 'content-type': 'application/json' });
      response.end(JSON.stringify(answer));
    });
  });
  let url: string;

  beforeAll(async () => {
    await once(http.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());

  async function recorded(source: Readable | Uint8Array, contentType = 'audio/wav') {
    const api = { url, token: 'parley_call_1', expires_at: '2100-01-01T00:00:00.000Z' };
    let result: unknown;
    await fakeServer({ apiKey: 'a-key' }).offer(
      async (call) => {
        result = await call
          .record(source, { contentType: contentType as 'audio/wav' })
          .catch((error: Error) => error.message);
      },
      { api, start: { conversation_id: '019b76da-a800-7000-8000-00000000c0de' } },
    );
    return result;
  }

  test('hands a stream or bytes to the server, with the credential of the call', async () => {
    expect(await recorded(Readable.from([Buffer.from('RIFF'), Buffer.from('1234')]))).toBe(
      'https://a.example/1',
    );
    expect(await recorded(Buffer.from('ID3'), 'audio/mpeg')).toBe('https://a.example/1');

    const path = '/api/calls/019b76da-a800-7000-8000-00000000c0de/recording';
    expect(requests).toEqual([
      ['PUT', path, 'Bearer parley_call_1', 'audio/wav', 'RIFF1234'],
      ['PUT', path, 'Bearer parley_call_1', 'audio/mpeg', 'ID3'],
    ]);
  });

  test('throws the reason why the server refuses it', async () => {
    status = 409;
    answer = { message: 'Too late' };
    expect(await recorded(Buffer.from('RIFF'))).toBe('The recording was refused with status 409: Too late');
    status = 400;
    answer = { message: 'Validation failed', errors: [{ field: 'body', message: 'body is no WAV file' }] };
    expect(await recorded(Buffer.from('RIFF'))).toBe(
      'The recording was refused with status 400: body is no WAV file',
    );
    expect(await recorded(Buffer.from('RIFF'), 'audio/ogg')).toMatch(/must be audio\/wav or audio\/mpeg/);
  });
});
