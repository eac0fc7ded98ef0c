import { connect } from 'node:net';
import { useParley } from '../support/parley';

describe('A request that is no HTTP', () => {
  const parley = useParley();

  /** Sends bytes and reads until the server closes the connection. */
  const exchange = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const { hostname, port } = new URL(parley.url);
      let answer = '';
      const socket = connect(Number(port), hostname, () => socket.write(bytes));
      socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
      socket.on('close', () => resolve(answer)).on('error', reject);
    });

  test.each([
    ['GET / HTP/1.1\r\n\r\n', 400],
    ['GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n', 400],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431],
  ])('is answered in the envelope (%#)', async (bytes, status) => {
    const [head, body] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toContain(`HTTP/1.1 ${status} `);
    expect(JSON.parse(body ?? '')).toEqual({
      status,
      message: expect.any(String),
      details: 'The request could not be read as HTTP.',
    });
  });
});
