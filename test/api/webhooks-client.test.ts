import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { createServer, type Server } from 'node:net';
import {
  anyAddress,
  createAddressRule,
  isPublicAddress,
} from '../../src/platform/outbound-http/public-address';
import { WebhookClient } from '../../src/features/webhooks/webhook-client';
import { NameServer } from '../support/name-server';
import { watchTimers } from '../support/timers';
import { until } from '../support/until';
import { useStarted } from '../support/use-started';
import { answeringStatus, WebhookReceiver } from '../support/webhook-receiver';

const neverAborted = () => new AbortController().signal;

describe('A webhook request', () => {
  const receiver = useStarted(() => WebhookReceiver.start());
  const client = new WebhookClient(anyAddress);
  const guarded = new WebhookClient(isPublicAddress);

  afterAll(() => Promise.all([client, guarded].map((each) => each.onApplicationShutdown())));

  const post = (url: string, through = client) => through.post(url, {}, '{}', neverAborted());

  const answered = (status: number, headers?: Record<string, string>) => {
    receiver.answer('/', answeringStatus(status, headers));
    return post(receiver.url('/'));
  };

  test.each([200, 201, 202, 204, 299])('that is answered with %i is delivered', async (status) => {
    expect(await answered(status)).toMatchObject({ verdict: 'delivered', statusCode: status, error: null });
  });

  test.each([408, 425, 429, 500, 502, 503, 504, 599])(
    'that is answered with %i can be retried',
    async (status) => {
      expect(await answered(status, { 'retry-after': '7' })).toEqual({
        verdict: 'retry',
        statusCode: status,
        error: `it answers with status ${status}`,
        answer: {
          headers: expect.objectContaining({ 'retry-after': '7', connection: 'close' }) as unknown,
          body: '',
        },
        retryAfterSeconds: 7,
      });
    },
  );

  test.each([400, 401, 404, 410, 422, 499])('that is answered with %i is final', async (status) => {
    expect(await answered(status)).toMatchObject({
      verdict: 'failed',
      statusCode: status,
      error: `it answers with status ${status}`,
    });
  });

  test.each([300, 301, 302, 303, 304, 307, 308])(
    'that is answered with %i is final, and the redirect is not followed',
    async (status) => {
      expect(await answered(status, { location: receiver.url('/elsewhere') })).toMatchObject({
        verdict: 'failed',
        statusCode: status,
        error: `it redirects with status ${status}, and redirects are not followed`,
      });
      expect(receiver.at('/elsewhere')).toEqual([]);
    },
  );

  describe('keeps of the answer', () => {
    const answerOf = async (headers: Record<string, string | string[]>, body: string | Buffer) => {
      receiver.answer('/', (response) => response.writeHead(500, headers).end(body));
      return (await post(receiver.url('/')))?.answer;
    };

    test('the headers, without cookies, and the body', async () => {
      const headers = { 'content-type': 'text/plain', 'set-cookie': 'session=1', via: ['one', 'two'] };

      const answer = await answerOf(headers, 'The table “orders” is locked.');

      expect(answer).toMatchObject({
        headers: { 'content-type': 'text/plain', via: 'one, two' },
        body: 'The table “orders” is locked.',
      });
      expect(answer?.headers).not.toHaveProperty('set-cookie');
    });

    test('four kilobytes of each, whole characters and whole headers only', async () => {
      const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x-${at}`, 'v'.repeat(500)]));

      const answer = await answerOf(many, '€'.repeat(5_000));

      expect(answer?.body).toBe('€'.repeat(1_365));
      expect(Object.keys(answer?.headers ?? {})).toEqual(expect.arrayContaining(['x-0', 'x-7']));
      expect(answer?.headers).not.toHaveProperty('x-8');
      expect(answer?.headers['x-7']).toHaveLength(500);
    });

    test('text that Postgres can store, of any bytes', async () => {
      const answer = await answerOf({}, Buffer.from([0x61, 0x00, 0xff, 0x62]));

      expect(answer?.body).toBe('a\uFFFD\uFFFDb');
    });
  });

  describe('to a slow receiver', () => {
    const slow = { verdict: 'retry', statusCode: null, error: 'it does not answer within 10 seconds' };
    let limits: ReturnType<typeof watchTimers>;
    beforeEach(() => {
      limits = watchTimers(10_000);
    });
    afterEach(() => limits.stop());

    test('that never answers is interrupted', async () => {
      receiver.answer('/', () => limits.end());

      expect(await post(receiver.url('/'))).toMatchObject(slow);
    });

    test('whose headers arrive slowly is interrupted', async () => {
      receiver.answer('/', ({ socket }) => {
        socket?.write('HTTP/1.1 200 OK\r\n');
        let drops = 0;
        const drip = setInterval(() => {
          socket?.write('x-drop: 1\r\n');
          if ((drops += 1) === 5) limits.end();
        }, 10);
        socket?.on('close', () => clearInterval(drip)).on('error', () => undefined);
      });

      expect(await post(receiver.url('/'))).toMatchObject(slow);
    });

    test.each([
      ['slowly', 1],
      ['without end', 65_536],
    ])('whose body arrives %s is delivered by its status, and interrupted', async (_, size) => {
      let closed: () => void;
      const isClosed = new Promise<void>((resolve) => (closed = resolve));
      receiver.answer('/', (response) => {
        response.writeHead(200);
        const drip = setInterval(() => response.write(Buffer.alloc(size)), 10);
        response.on('close', () => {
          clearInterval(drip);
          closed();
        });
      });
      // The client reads the body as soon as it has the headers, and no more of it than some kilobytes.
      const endLimit = () => void setImmediate(() => size === 1 && limits.end());
      subscribe('undici:request:headers', endLimit);

      expect(await post(receiver.url('/'))).toMatchObject({ verdict: 'delivered', statusCode: 200 });
      await isClosed;
      unsubscribe('undici:request:headers', endLimit);
    });

    test('has no outcome if the server stops first', async () => {
      const stop = new AbortController();
      receiver.answer('/', () => stop.abort());

      expect(await client.post(receiver.url('/'), {}, '{}', stop.signal)).toBeNull();
      expect(await client.post(receiver.url('/'), {}, '{}', stop.signal)).toBeNull();
    });
  });

  describe('without an answer', () => {
    let server: Server | undefined;

    afterEach(() => server?.close());

    /** Sends a text and closes the connection. */
    const sending = async (text: string) => {
      const sender = createServer((socket) => socket.on('error', () => undefined).end(text));
      server = sender;
      const port = await new Promise<number>((resolve) =>
        sender.listen(0, '127.0.0.1', () => resolve((sender.address() as { port: number }).port)),
      );
      return `http://127.0.0.1:${port}/`;
    };

    test.each([
      ['a closed connection', '', 'it closes the connection before its answer is complete'],
      ['another protocol', 'SSH-2.0-OpenSSH_9.2\r\n', 'its answer is not valid HTTP'],
      [
        'half a header',
        'HTTP/1.1 200 OK\r\nContent-',
        'it closes the connection before its answer is complete',
      ],
    ])('but with %s can be retried', async (_, text, error) => {
      expect(await post(await sending(text))).toMatchObject({ verdict: 'retry', statusCode: null, error });
    });

    test('from a port that refuses connections can be retried', async () => {
      const url = await sending('');
      await new Promise((resolve) => server?.close(resolve));

      expect(await post(url)).toMatchObject({
        verdict: 'retry',
        error: 'its host refuses the connection',
      });
    });

    test('from an unknown host can be retried', async () => {
      expect(await post('http://parley.invalid/')).toMatchObject({
        verdict: 'retry',
        error: 'its host is not known',
      });
    });
  });

  test.each([
    'http://localhost',
    'http://127.0.0.1',
    'http://[::1]',
    'http://169.254.169.254',
    'http://0x7f.1',
  ])('to the private address %s is final, and not sent', async (address) => {
    const port = new URL(receiver.url('/')).port;
    const before = receiver.received.length;

    expect(await post(`${address}:${port}/`, guarded)).toMatchObject({
      verdict: 'failed',
      statusCode: null,
      error: 'it leads to a private address',
    });
    expect(receiver.received).toHaveLength(before);
  });

  test('to a denied network is final, and not sent, also if private addresses are allowed', async () => {
    const rule = createAddressRule({ ALLOW_PRIVATE_ADDRESSES: true, DENIED_NETWORKS: ['127.0.0.0/8'] });
    const lenient = new WebhookClient(rule);
    const before = receiver.received.length;

    expect(await post(receiver.url('/'), lenient)).toMatchObject({
      verdict: 'failed',
      error: 'it leads to a private address',
    });

    expect(receiver.received).toHaveLength(before);
    await lenient.onApplicationShutdown();
  });

  test('does not wait for the names of others whose name server does not answer', async () => {
    const names = await NameServer.start({ 'silent.example': 'silence', 'private.example': [['10.0.0.1']] });
    const stops = Array.from({ length: 50 }, () => new AbortController());
    let answered = 0;
    const silent = stops.map(({ signal }) =>
      guarded.post('http://silent.example/', {}, '{}', signal).then(() => (answered += 1)),
    );
    await until(() => names.questions.filter((question) => question === 'silent.example A').length >= 50);

    expect(await post('http://private.example/', guarded)).toMatchObject({
      error: 'it leads to a private address',
    });
    expect(answered).toBe(0);

    for (const stop of stops) stop.abort();
    await Promise.all(silent);
    await names.stop();
  });

  test('with a user name or a password is final', async () => {
    expect(await post('http://ada:secret@example.com/')).toMatchObject({
      verdict: 'failed',
      error: 'it carries a user name or a password',
    });
  });
});
