import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { createServer, type Server } from 'node:net';
import { createAddressRule, isPublicAddress } from '../../src/platform/outbound-http/public-address';
import { LinkFetcher } from '../../src/platform/outbound-http/link-fetcher';
import { OutboundRequestError } from '../../src/platform/outbound-http/outbound-request.error';
import { NameServer } from '../support/name-server';
import { answering, ScriptedServer, redirecting } from '../support/scripted-server';

const TEXT = 'We are open from nine to five.';

const MEGABYTE = 1024 * 1024;

/** A gzip file of hundreds of megabytes: many members, each one megabyte of zeros. */
const gzipBomb = () => {
  const member = gzipSync(Buffer.alloc(MEGABYTE));
  return Buffer.concat(Array.from({ length: 500 }, () => member));
};

async function readReason(fetched: Promise<unknown>): Promise<string> {
  try {
    await fetched;
  } catch (error) {
    if (error instanceof OutboundRequestError) return error.message;
    throw error;
  }
  return 'none';
}

const isTemporary = async (fetched: Promise<unknown>) => {
  const [{ reason }] = (await Promise.allSettled([fetched])) as [PromiseRejectedResult];
  if (!(reason instanceof OutboundRequestError)) throw reason;
  return reason.isTemporary;
};

describe('A link', () => {
  let server: ScriptedServer;
  let fetcher: LinkFetcher;
  let hasStopped: Promise<void>;
  let connectionWasClosed: Promise<void>;

  beforeAll(async () => {
    let endlessClosed: () => void;
    let left: () => void;
    connectionWasClosed = new Promise((resolve) => (left = resolve));
    hasStopped = new Promise((resolve) => (endlessClosed = resolve));
    server = await ScriptedServer.start({
      '/text': answering(TEXT, { 'content-type': 'text/plain; charset=utf-8' }),
      '/gzip': answering(gzipSync(TEXT), { 'content-encoding': 'gzip' }),
      '/x-gzip': answering(gzipSync(TEXT), { 'content-encoding': 'X-GZIP' }),
      '/deflate': answering(deflateSync(TEXT), { 'content-encoding': 'deflate' }),
      '/raw-deflate': answering(deflateRawSync(TEXT), { 'content-encoding': 'deflate' }),
      '/br': answering(brotliCompressSync(TEXT), { 'content-encoding': 'br' }),
      '/identity': answering(TEXT, { 'content-encoding': 'identity' }),
      '/empty-gzip': answering('', { 'content-encoding': 'gzip' }),
      '/compressed-twice': answering(gzipSync(gzipSync(TEXT)), { 'content-encoding': 'gzip, gzip' }),
      '/unknown-encoding': answering(TEXT, { 'content-encoding': 'constructor' }),
      '/not-gzip': answering(TEXT, { 'content-encoding': 'gzip' }),
      '/truncated-gzip': answering(gzipSync(TEXT).subarray(0, 20), { 'content-encoding': 'gzip' }),
      '/gzip-bomb': answering(gzipBomb(), { 'content-encoding': 'gzip' }),
      '/br-bomb': answering(
        brotliCompressSync(Buffer.alloc(200 * MEGABYTE), { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }),
        { 'content-encoding': 'br' },
      ),
      '/endless': (_, response) => {
        response.writeHead(200, { 'content-type': 'text/plain' });
        const more = () => {
          while (response.writable && response.write(Buffer.alloc(65_536, 'a')));
        };
        response.on('drain', more).on('close', endlessClosed);
        more();
      },
      '/ten-gigabytes': (_, response) => {
        response.writeHead(200, { 'content-length': String(10 * 1024 * MEGABYTE) });
        response.write(TEXT);
      },
      '/too-large': answering(Buffer.alloc(2 * MEGABYTE + 1, 'a')),
      '/large': answering(Buffer.alloc(2 * MEGABYTE, 'a')),
      '/left': (_, response) => void response.on('close', left),
      '/stalls': () => undefined,
      '/stalls-later': (_, response) => {
        response.writeHead(200).write(TEXT);
      },
      '/trickles': (_, response) => {
        response.writeHead(200);
        const timer = setInterval(() => response.write('a'), 20);
        response.on('close', () => clearInterval(timer));
      },
      '/missing': answering(TEXT, {}, 404),
      '/broken': answering(TEXT, {}, 500),
      '/partial': answering(TEXT, {}, 206),
      '/not-modified': answering('', {}, 304),
      '/301': redirecting('/text', 301),
      '/303': redirecting('text', 303),
      '/307': redirecting('/301', 307),
      '/308': redirecting('/307', 308),
      '/loop': redirecting('/loop'),
      '/five': redirecting('/four'),
      '/six': redirecting('/five'),
      '/four': redirecting('/three'),
      '/three': redirecting('/two'),
      '/two': redirecting('/one'),
      '/one': redirecting('/text'),
      '/to-nowhere': redirecting('http://'),
      '/without-location': answering('', {}, 302),
      '/busy': answering('', {}, 503),
      '/too-often': answering('', { 'retry-after': '60' }, 429),
      '/gone': answering('', {}, 410),
      '/not-implemented': answering('', {}, 501),
      '/to-ftp': redirecting('ftp://127.0.0.1/text'),
      '/to-file': redirecting('file:///etc/passwd'),
      '/to-password': redirecting('http://user:password@127.0.0.1/'),
      '/to-metadata': redirecting('http://169.254.169.254/latest/meta-data/'),
      '/to-mapped': redirecting('http://[::ffff:10.0.0.1]/'),
      '/to-other-loopback': redirecting('http://127.0.0.2/'),
      '/big-headers': answering(TEXT, { 'x-big': 'a'.repeat(60_000) }),
    });
    // The test's server replaces a public one; every other private address is refused.
    fetcher = new LinkFetcher((address) => address === '127.0.0.1', {
      timeoutMs: 1_000,
      maxBytes: 2 * MEGABYTE,
    });
  });
  afterAll(async () => {
    await fetcher.close();
    await server.stop();
  });

  const refusal = (path: string) => readReason(fetcher.fetch(server.url(path)));

  test('is fetched with its content type and the address where it was found', async () => {
    expect(await fetcher.fetch(server.url('/text'))).toEqual({
      bytes: Buffer.from(TEXT),
      contentType: 'text/plain; charset=utf-8',
      url: server.url('/text'),
    });
  });

  test.each(['/gzip', '/x-gzip', '/deflate', '/raw-deflate', '/br', '/identity', '/partial'])(
    'is decompressed: %s',
    async (path) => {
      expect((await fetcher.fetch(server.url(path))).bytes.toString()).toBe(TEXT);
    },
  );

  test.each(['/301', '/303', '/307', '/308', '/five'])('is followed: %s', async (path) => {
    expect(await fetcher.fetch(server.url(path))).toMatchObject({ url: server.url('/text') });
  });

  test('may have no content', async () => {
    expect((await fetcher.fetch(server.url('/empty-gzip'))).bytes).toHaveLength(0);
  });

  test('may be as large as the limit', async () => {
    expect((await fetcher.fetch(server.url('/large'))).bytes).toHaveLength(2 * MEGABYTE);
  });

  test.each([
    ['/loop', 'it redirects more than 5 times'],
    ['/six', 'it redirects more than 5 times'],
    ['/to-nowhere', 'it redirects without a valid location'],
    ['/without-location', 'it redirects without a valid location'],
    ['/to-ftp', 'it leads to an address that begins with ftp:'],
    ['/to-file', 'it leads to an address that begins with file:'],
    ['/to-password', 'it carries a user name or a password'],
    ['/to-metadata', 'it leads to a private address'],
    ['/to-mapped', 'it leads to a private address'],
    ['/to-other-loopback', 'it leads to a private address'],
    ['/missing', 'it answers with status 404'],
    ['/broken', 'it answers with status 500'],
    ['/not-modified', 'it answers with status 304'],
    ['/compressed-twice', 'its content encoding is not supported'],
    ['/unknown-encoding', 'its content encoding is not supported'],
    ['/not-gzip', 'its content cannot be decompressed'],
    ['/truncated-gzip', 'its content cannot be decompressed'],
    ['/too-large', 'it is larger than 2048 KiB'],
    ['/stalls', 'it does not answer within 1 seconds'],
    ['/stalls-later', 'it does not answer within 1 seconds'],
    ['/trickles', 'it does not answer within 1 seconds'],
    ['/ten-gigabytes', 'it does not answer within 1 seconds'],
    ['/big-headers', 'the header of its answer is too long'],
  ])('%s is refused: %s', async (path, reason) => {
    expect(await refusal(path)).toBe(reason);
  });

  test.each(['/gzip-bomb', '/br-bomb'])('that is a bomb costs bounded memory: %s', async (path) => {
    const before = process.memoryUsage.rss();

    expect(await refusal(path)).toBe('it is larger than 2048 KiB');

    expect(process.memoryUsage.rss() - before).toBeLessThan(100 * MEGABYTE);
  });

  test('has what pages that forward to it have left of its limits', async () => {
    const spent = { ms: 0, redirects: 4 };

    await fetcher.fetch(server.url('/one'), { spent });

    expect(spent.redirects).toBe(5);
    expect(spent.ms).toBeGreaterThan(0);
    const fetched = fetcher.fetch(server.url('/one'), { spent });
    expect(await readReason(fetched)).toBe('it redirects more than 5 times');
  });

  test('is not fetched further once its signal is aborted', async () => {
    const abort = new AbortController();
    const fetched = fetcher.fetch(server.url('/left'), { signal: abort.signal });
    await server.asked('/left');

    abort.abort(new Error('The client closed the connection'));

    await expect(fetched).rejects.toBe(abort.signal.reason);
    await connectionWasClosed;
  });

  test('without an end is closed at the limit', async () => {
    expect(await refusal('/endless')).toBe('it is larger than 2048 KiB');
    await hasStopped;
  });

  test.each(['/broken', '/busy', '/too-often', '/stalls', '/trickles'])(
    'that fails temporarily is marked as such: %s',
    async (path) => {
      expect(await isTemporary(fetcher.fetch(server.url(path)))).toBe(true);
    },
  );

  test.each([
    '/missing',
    '/gone',
    '/not-implemented',
    '/loop',
    '/to-nowhere',
    '/to-metadata',
    '/to-ftp',
    '/not-gzip',
    '/too-large',
    '/big-headers',
  ])('that fails permanently is marked as such: %s', async (path) => {
    expect(await isTemporary(fetcher.fetch(server.url(path)))).toBe(false);
  });

  test.each([
    ['failing.example', 'its host cannot be looked up', true],
    ['unknown.example', 'its host is not known', false],
    ['empty.example', 'its host is not known', false],
    [`${'x'.repeat(64)}.example`, 'its host is not known', false],
  ])('whose name has no address is refused: %s', async (name, reason, temporary) => {
    const names = await NameServer.start({ 'failing.example': 'failure', 'empty.example': [[]] });
    const fetched = fetcher.fetch(`http://${name}/`);

    expect(await readReason(fetched)).toBe(reason);
    expect(await isTemporary(fetched)).toBe(temporary);

    await names.stop();
  });

  test('whose server does not run is refused', async () => {
    const stopped = await ScriptedServer.start({});
    await stopped.stop();

    const fetched = fetcher.fetch(stopped.url('/'));
    expect(await readReason(fetched)).toBe('its host refuses the connection');
    expect(await isTemporary(fetched)).toBe(true);
  });

  describe('to a server that does not speak HTTP properly', () => {
    let raw: Server;
    let response: string;

    beforeAll(async () => {
      raw = createServer((socket) => {
        socket.on('error', () => undefined);
        socket.once('data', () => socket.end(response));
      });
      await new Promise<void>((resolve) => raw.listen(0, '127.0.0.1', resolve));
    });
    afterAll(() => new Promise((resolve) => raw.close(resolve)));

    test.each([
      ['nothing at all', '', 'it closes the connection before its answer is complete'],
      ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n', 'its answer is not valid HTTP'],
      [
        'a length that is longer than its body',
        'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\nshort',
        'it closes the connection before its answer is complete',
      ],
      [
        'two lengths',
        'HTTP/1.1 200 OK\r\nContent-Length: 5\r\nContent-Length: 9\r\n\r\nshort',
        'its answer does not have the declared length',
      ],
    ])('is refused: %s', async (_, answer, reason) => {
      response = answer;
      const { port } = raw.address() as { port: number };

      expect(await readReason(fetcher.fetch(`http://127.0.0.1:${port}/`))).toBe(reason);
    });
  });
});

describe('A link to a private address', () => {
  let server: ScriptedServer;
  const fetcher = new LinkFetcher(isPublicAddress, { timeoutMs: 2_000 });

  beforeAll(async () => {
    server = await ScriptedServer.start({ '/': answering('Secret') }, '::');
  });
  afterAll(async () => {
    await fetcher.close();
    await server.stop();
  });
  afterEach(() => expect(server.requests).toEqual([]));

  const refusal = (host: string, scheme = 'http') =>
    readReason(fetcher.fetch(`${scheme}://${host}:${server.port}/`));

  test.each([
    '127.0.0.1',
    '127.0.0.1.',
    '127.1',
    '127.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '0x7f.0.0.0x1',
    '017700000001',
    '0177.0.0.1',
    '0',
    '0.0.0.0',
    '１２７.０.０.１',
    '①②⑦.⓪.⓪.①',
    '127。0。0。1',
    '%31%32%37.0.0.1',
    '[::1]',
    '[::]',
    '[0:0:0:0:0:0:0:1]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '10.1.2.3',
    '192.168.0.1',
    '172.16.0.1',
    '100.64.0.1',
    'localhost',
    'LOCALHOST',
    'lo%63alhost',
  ])('is refused without a connection: %s', async (host) => {
    expect(await refusal(host)).toBe('it leads to a private address');
    expect(await refusal(host, 'https')).toBe('it leads to a private address');
  });

  test.each(['127.0.0.1', '[::ffff:127.0.0.1]', 'localhost'])(
    'is refused where private addresses are allowed, but its network is denied: %s',
    async (host) => {
      const denied = ['127.0.0.0/8', '::1/128'];
      const rule = createAddressRule({ ALLOW_PRIVATE_ADDRESSES: true, DENIED_NETWORKS: denied });
      const lenient = new LinkFetcher(rule, { timeoutMs: 2_000 });

      expect(await readReason(lenient.fetch(`http://${host}:${server.port}/`))).toBe(
        'it leads to a private address',
      );

      await lenient.close();
    },
  );

  describe('by its name', () => {
    let names: NameServer;

    beforeAll(async () => {
      names = await NameServer.start({
        'private.example': [['127.0.0.1']],
        'private6.example': [['::1']],
        'mixed.example': [['93.184.215.14', '127.0.0.1']],
        'mixed-families.example': [['93.184.215.14', '::1']],
        'mapped.example': [['::ffff:127.0.0.1']],
        'rebinding.example': [['93.184.215.14'], ['127.0.0.1']],
      });
    });
    afterAll(() => names.stop());

    test.each([
      'private.example',
      'private6.example',
      'mixed.example',
      'mixed-families.example',
      'mapped.example',
      'localhost.',
      'a.localhost',
    ])('is refused: %s', async (name) => {
      expect(await refusal(name)).toBe('it leads to a private address');
    });

    test('is refused where its address is public when it is looked up, and private afterwards', async () => {
      // The client connects to the address that it checked, where nothing listens.
      const closed = new LinkFetcher(isPublicAddress, { timeoutMs: 300 });

      expect(await readReason(closed.fetch(`http://rebinding.example:${server.port}/`))).not.toBe('none');

      expect(names.questions.filter((question) => question === 'rebinding.example A')).toHaveLength(1);
      await closed.close();
    });
  });
});
