import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { fakeServer } from '@parley/worker/testing';

describe('call.search', () => {
  const requests: unknown[] = [];
  const passage = (text: string, score: number) => ({
    text,
    score,
    source_id: '',
    source_name: '',
    source_url: null,
    position: 0,
  });
  const http = createServer((request, response) => {
    requests.push([request.url, request.headers['x-api-key'] ?? request.headers.authorization]);
    const data = request.url?.startsWith('/api/knowledge-base/a/')
      ? [passage('second', 0.5), passage('fourth', 0.1)]
      : [passage('first', 0.9), passage('third', 0.4)];
    response.writeHead(request.url?.includes('broken') ? 503 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ data, message: 'Too many searches' }));
  });
  const start = {
    knowledge_bases: ['a', 'b'].map((kb_id) => ({ kb_id, search: `/api/knowledge-base/${kb_id}/search` })),
  };
  let apiUrl: string;

  beforeAll(async () => {
    await once(http.listen(0, '127.0.0.1'), 'listening');
    apiUrl = `http://127.0.0.1:${(http.address() as AddressInfo).port}/`;
  });
  afterAll(() => http.close());
  beforeEach(() => requests.splice(0));

  /** Searches as a handler does. */
  async function found(query: string, options: object, key: string | undefined = 'a-key') {
    const results: unknown[] = [];
    const logger = { debug() {}, info() {}, warn() {}, error() {} };
    await fakeServer({ apiUrl, apiKey: key, logger }).offer(
      async (call) => {
        await call.search(query, options).then(
          (passages) => results.push(...passages.map(({ text }) => text)),
          (error: Error) => results.push(error.message),
        );
      },
      { start },
    );
    return results;
  }

  test('gives the best passages of all knowledge bases of the call', async () => {
    expect(await found('opening hours?', { limit: 3 })).toEqual(['first', 'second', 'third']);
    expect(requests).toContainEqual(['/api/knowledge-base/a/search?query=opening+hours%3F&limit=3', 'a-key']);
  });

  test('gives those of one knowledge base', async () => {
    expect(await found('hours', { knowledgeBaseId: 'a' })).toEqual(['second', 'fourth']);
  });

  test('uses the address and the credential of the call, if there are no options', async () => {
    const api = { url: apiUrl, token: 'parley_call_1', expires_at: '2100-01-01T00:00:00.000Z' };
    let passages: unknown;
    await fakeServer().offer(
      async (call) => {
        passages = (await call.search('hours', { limit: 1 })).map(({ text }) => text);
      },
      { start, api },
    );

    expect(passages).toEqual(['first']);
    expect(requests).toContainEqual([
      '/api/knowledge-base/a/search?query=hours&limit=1',
      'Bearer parley_call_1',
    ]);
  });

  test('throws the reason of a failure', async () => {
    expect(await found('hours', { knowledgeBaseId: 'c' })).toEqual(['The call has no knowledge base c.']);
    expect(await found('broken', {})).toEqual(['The search failed with status 503: Too many searches']);
    expect(await found('hours', {}, '')).toEqual([
      'call.search needs the options apiUrl and apiKey of the worker.',
    ]);
  });
});
