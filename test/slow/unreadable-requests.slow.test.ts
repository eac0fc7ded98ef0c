import { connect } from 'node:net';
import { useOwnParley } from '../support/parley';
import { until } from '../support/until';

const MEGABYTE = 1024 * 1024;

const parley = useOwnParley();

/** Opens a connection, sends bytes and records the answer. */
function open(bytes: string) {
  const { hostname, port } = new URL(parley.url);
  const socket = connect(Number(port), hostname);
  socket.write(bytes);
  const connection = { socket, answer: '', isClosed: false };
  socket.setEncoding('utf8').on('data', (text: string) => (connection.answer += text));
  // A write to a connection that the server closes can fail.
  socket.on('error', () => undefined).on('close', () => (connection.isClosed = true));
  return connection;
}

describe('A request that is not HTTP', () => {
  test.each([
    ['GET / HTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'HEADERS_TOO_LARGE'],
  ])('is answered in the envelope (%#)', async (bytes, status, error_code = 'MALFORMED_REQUEST') => {
    const connection = open(bytes);
    await until(() => connection.isClosed);
    const [head, body] = connection.answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body ?? '')).toEqual({
      status,
      message: expect.any(String),
      error_code,
      details: 'The request could not be read as HTTP.',
    });
  });
});

describe('A request that arrives too slowly', () => {
  test('is answered and closed 20 seconds after its first byte', async () => {
    const connection = open('GET /health/live HTTP/1.1\r\nHost: a\r\nX: ');
    const startedAt = Date.now();
    const drip = setInterval(() => connection.socket.write('x'), 100);

    await until(() => connection.isClosed, 45_000);

    clearInterval(drip);
    expect(connection.answer).toMatch(/^HTTP\/1\.1 408 .*"error_code":"REQUEST_TIMEOUT"/s);
    expect(Date.now() - startedAt).toBeGreaterThan(19_000);
  });
});

describe('A request that a server must refuse by the HTTP standard', () => {
  test.each([
    ['CONNECT elsewhere:443 HTTP/1.1\r\nHost: a\r\n\r\n', 400, /HTTP/],
    ['GET /health/live HTTP/1.1\r\n\r\n', 400, /Host/],
    ['GET /health/live HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n', 400, /Host once/],
    ['GET /health/live HTTP/1.1\r\nHost: a\r\nX: b\r\nhOST: a\r\n\r\n', 400, /Host once/],
    ['GET /health/live HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n', 400, /Host once/],
    ['GET /health/live HTTP/1.1\r\nHost: a\r\nExpect: a miracle\r\n\r\n', 417, /a miracle/],
  ])('is answered with the error envelope (%#)', async (bytes, status, details) => {
    const connection = open(bytes);
    await until(() => connection.isClosed);
    const [head, body] = connection.answer.split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body ?? '')).toEqual({
      status,
      message: expect.any(String),
      error_code: status === 417 ? 'EXPECTATION_FAILED' : 'MALFORMED_REQUEST',
      details: expect.stringMatching(details),
    });
  });
});

describe('A body that is not read', () => {
  const post = (headers: string) =>
    `POST /api/agents HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n${headers}\r\n\r\n`;
  const piece = Buffer.alloc(MEGABYTE, 'x');
  const chunk = Buffer.concat([Buffer.from(`${MEGABYTE.toString(16)}\r\n`), piece, Buffer.from('\r\n')]);

  test('leaves its connection open for the next request', async () => {
    const connection = open(post(`Content-Length: ${MEGABYTE}`));
    await until(() => connection.answer.includes('HTTP/1.1 401 '));

    connection.socket.write(piece);
    connection.socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n');

    await until(() => connection.answer.includes('{"status":200,"message":"Live"}'));
    expect(connection.isClosed).toBe(false);
    connection.socket.destroy();
  });

  test.each([
    ['of a known length', post(`Content-Length: ${1_000 * MEGABYTE}`), piece],
    ['in chunks', post('Transfer-Encoding: chunked'), chunk],
  ])(
    '%s is answered at once, and its connection is closed if the body does not end',
    async (_, head, part) => {
      const connection = open(head);
      await until(() => connection.answer.includes('HTTP/1.1 401 '));

      let sent = 0;
      const send = (failure?: Error | null) => {
        if (failure || sent === 200) return;
        sent += 1;
        connection.socket.write(part, send);
      };
      send();

      await until(() => connection.isClosed);
      expect(sent).toBeGreaterThan(20);
      expect(sent).toBeLessThan(100);
      expect(connection.answer).toContain('"message":"Unauthorized"');
    },
  );

  test.each([
    ['of a request that is refused', () => post(`Content-Length: ${MEGABYTE}`), 401],
    [
      'of a route without a body',
      () => `GET /health/live HTTP/1.1\r\nHost: a\r\nContent-Length: ${MEGABYTE}\r\n\r\n`,
      200,
    ],
  ])('%s is not awaited if it is slow', async (_, head, status) => {
    const connection = open(head());

    await until(() => connection.answer.includes(`HTTP/1.1 ${status} `));

    await until(() => connection.isClosed, 20_000);
  });

  test('of a form is not awaited after the form was refused', async () => {
    const { apiKey } = await parley.workspace();
    const part = '--b\r\nContent-Disposition: form-data; name="a[0]"\r\n\r\nx\r\n--b\r\n';
    const connection = open(
      `POST /api/campaign HTTP/1.1\r\nHost: a\r\nX-API-Key: ${apiKey}\r\n` +
        `Content-Type: multipart/form-data; boundary=b\r\nContent-Length: ${MEGABYTE}\r\n\r\n${part}`,
    );

    await until(() => connection.answer.includes('HTTP/1.1 400 '));

    expect(connection.answer).toContain('a[0] is not a known property');
    await until(() => connection.isClosed, 20_000);
  });

  test('is refused for its size before it is completely received', async () => {
    const { apiKey } = await parley.workspace();
    const credential = `X-API-Key: ${apiKey}\r\n`;

    const ofKnownLength = open(post(`${credential}Content-Length: ${MEGABYTE + 1}`));
    const inChunks = open(post(`${credential}Transfer-Encoding: chunked`));
    for (let count = 0; count < 2; count += 1) inChunks.socket.write(chunk);

    for (const connection of [ofKnownLength, inChunks]) {
      await until(() => connection.answer.includes('HTTP/1.1 413 '));
      connection.socket.destroy();
    }
  });
});
