import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Call, ToolInvocation } from '@parley/worker';
import { fakeServer } from '@parley/worker/testing';

const CALL_ID = '019b76da-a800-7000-8000-00000000c0de';
const PATH = `/api/calls/${CALL_ID}/tools`;
const TUESDAY = { day: '2026-03-03' };

const DONE = { invocation_id: 'i-1', state: 'done', result: { id: 'b-17' }, error: null };
const done = { data: { ...DONE, arguments: TUESDAY, variables: { booking_id: 'b-17' }, repeated: false } };
const running = { data: { ...done.data, state: 'running', result: null, variables: {} } };

const invocation = (changes: Partial<ToolInvocation>): ToolInvocation => ({
  ...{ invocationId: 'i-1', state: 'done', result: { id: 'b-17' }, error: null, code: null },
  ...{ repeated: false, variables: { booking_id: 'b-17' }, ...changes },
});
const nothing = { invocationId: null, result: null, variables: {} };

describe('call.tool', () => {
  type Answer = (response: ServerResponse) => void;
  interface Seen {
    method: string | undefined;
    url: string | undefined;
    key: string | undefined;
    credential: string | undefined;
    body: unknown;
  }
  const requests: Seen[] = [];
  const answers: Answer[] = [];
  const http = createServer((request, response) => {
    void text(request).then((body) => {
      const { authorization: credential, 'idempotency-key': key } = request.headers;
      requests.push({
        ...{ method: request.method, url: request.url, key: key as string | undefined, credential },
        body: body && (JSON.parse(body) as unknown),
      });
      (answers.shift() ?? cut)(response);
    });
  });
  let url: string;

  const json =
    (status: number, body: object | string, headers: Record<string, string> = {}): Answer =>
    (response) =>
      void response
        .writeHead(status, { 'content-type': 'application/json', ...headers })
        .end(typeof body === 'string' ? body : JSON.stringify(body));
  const cut: Answer = (response) => void response.destroy();
  const later = { 'retry-after': '0' };

  beforeAll(async () => {
    await once(http.listen(0, '127.0.0.1'), 'listening');
    url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  });
  afterAll(() => http.close());
  beforeEach(() => {
    requests.splice(0);
    answers.splice(0);
  });
  afterEach(() => jest.restoreAllMocks());

  /** Runs it as a handler. */
  async function inCall<Result>(run: (call: Call) => Promise<Result>, mode: 'wait' | 'background' = 'wait') {
    const api = { url, token: 'parley_call_1', expires_at: '2100-01-01T00:00:00.000Z' };
    const tool = { name: 'book_table', description: 'Books.', parameters: {}, mode, confirm: false, say: '' };
    let result: Result | undefined;
    await fakeServer({ apiKey: 'a-key' }).offer(async (call) => void (result = await run(call)), {
      api,
      start: { conversation_id: CALL_ID, tools: [tool] },
    });
    return result;
  }

  const book = (call: Call) => call.tool('book_table', TUESDAY);

  test('asks the server with the credential of the call and a key of its own', async () => {
    answers.push(json(200, done), json(200, { data: { ...done.data, repeated: true } }));
    const invocations = await inCall(async (call) => [
      await book(call),
      await call.tool('book_table', TUESDAY, { confirmed: true }),
    ]);

    expect(invocations).toEqual([invocation({}), invocation({ repeated: true })]);
    const asked = { method: 'POST', url: `${PATH}/book_table`, credential: 'Bearer parley_call_1' };
    expect(requests).toMatchObject([
      { ...asked, body: { arguments: TUESDAY, confirmed: false } },
      { ...asked, body: { arguments: TUESDAY, confirmed: true } },
    ]);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(2);
  });

  test('asks again with the same key until there is an answer', async () => {
    answers.push(
      cut,
      json(503, {}, later),
      json(429, { error_code: 'TOOLS_BUSY' }, later),
      json(200, '{"data": {"invo'),
      json(500, { error_code: 'OUTCOME_UNKNOWN' }),
      json(200, done),
    );
    expect(await inCall(book)).toEqual(invocation({}));
    expect(requests).toHaveLength(6);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
  });

  test('waits on for a tool that takes long', async () => {
    answers.push(json(200, running), json(200, running), cut, json(200, done));
    expect(await inCall(book)).toEqual(invocation({}));
    const waits = requests.slice(1).map(({ method, url }) => [method, url?.split('?')[0]]);
    expect(waits).toEqual(Array(3).fill(['GET', `${PATH}/invocations/i-1`]));
  });

  test('gives the state of a tool in the background at once, and its end on request', async () => {
    answers.push(json(200, running), json(200, done));
    const seen = await inCall(async (call) => {
      const asked = await book(call);
      return [asked, requests.length, await call.waitForTool(asked)];
    }, 'background');

    expect(seen).toEqual([invocation({ state: 'running', result: null, variables: {} }), 1, invocation({})]);
    expect(requests[0]?.body).toMatchObject({ wait_ms: 0 });
  });

  test.each<[number, object, string, string]>([
    [
      404,
      { error_code: 'TOOL_NOT_FOUND', message: 'Tool not found', error: { details: 'No tool x.' } },
      'No tool x.',
      'TOOL_NOT_FOUND',
    ],
    [409, { error_code: 'CALL_ENDED', message: 'The call has ended' }, 'The call has ended', 'CALL_ENDED'],
    [
      422,
      {
        error_code: 'TOOL_ARGUMENTS_INVALID',
        message: 'Validation failed',
        errors: [{ message: 'day is missing' }, { message: 'persons must be at most 12' }],
      },
      'day is missing; persons must be at most 12',
      'TOOL_ARGUMENTS_INVALID',
    ],
    [
      429,
      { error_code: 'TOOL_LIMIT_REACHED', message: 'Too many', details: 'At most 100.' },
      'At most 100.',
      'TOOL_LIMIT_REACHED',
    ],
  ])('says why the server refuses it with status %i, and asks once', async (status, body, error, code) => {
    answers.push(json(status, body));
    expect(await inCall(book)).toEqual(invocation({ ...nothing, state: 'refused', error, code }));
    expect(requests).toHaveLength(1);
  });

  /** As if half a minute passed between two requests. */
  function skipTime() {
    const start = performance.now();
    jest.spyOn(performance, 'now').mockImplementation(() => start + requests.length * 31_000);
  }

  test('does not know what was done if no answer comes within half a minute', async () => {
    skipTime();
    answers.push(cut, json(200, done));
    expect(await inCall(book)).toEqual(
      invocation({
        ...nothing,
        state: 'unknown',
        error: expect.stringMatching(/^The server has not said whether this was done: /) as string,
      }),
    );
    expect(requests).toHaveLength(1);
  });

  test('is refused if the server is busy for half a minute, because nothing was done', async () => {
    skipTime();
    answers.push(json(429, { error_code: 'TOOLS_BUSY', message: 'Too many tools run' }, later));
    expect(await inCall(book)).toMatchObject({
      ...{ state: 'refused', code: 'TOOLS_BUSY', error: 'Too many tools run' },
    });
  });

  test('does not know what was done if the credential is refused after a request without an answer', async () => {
    answers.push(cut, json(401, { error_code: 'INVALID_CREDENTIAL', message: 'Unknown' }));
    expect(await inCall(book)).toMatchObject({ state: 'unknown', invocationId: null });
  });

  test('does not know the end of a tool that the server does not tell', async () => {
    answers.push(json(200, running), json(404, { error_code: 'INVOCATION_NOT_FOUND', message: 'Gone' }));
    expect(await inCall(book)).toMatchObject({
      ...{ state: 'unknown', invocationId: 'i-1', code: 'INVOCATION_NOT_FOUND' },
    });
  });

  test('stops waiting when its signal is aborted, once the server has the asking', async () => {
    const stopping = new AbortController();
    answers.push(() => stopping.abort(), json(200, running));
    const asked = await inCall((call) => call.tool('book_table', TUESDAY, { signal: stopping.signal }));

    expect(asked).toMatchObject({ state: 'running', invocationId: 'i-1' });
    expect(requests).toHaveLength(2);
    expect(requests[1]).toEqual({
      ...requests[0],
      body: { arguments: TUESDAY, confirmed: false, wait_ms: 0 },
    });
  });

  test('stops waiting for the end when its signal is aborted', async () => {
    const stopping = new AbortController();
    answers.push(json(200, running), () => stopping.abort());
    const asked = await inCall((call) => call.tool('book_table', TUESDAY, { signal: stopping.signal }));

    expect(asked).toMatchObject({ state: 'running', invocationId: 'i-1' });
    expect(requests).toHaveLength(2);
  });

  test('rejects arguments that are no JSON, before it asks', async () => {
    const asked = inCall((call) => call.tool('book_table', { day: 1n }).catch((error: Error) => error.name));
    expect(await asked).toBe('TypeError');
    expect(requests).toEqual([]);
  });
});
