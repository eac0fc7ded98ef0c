import type { Express } from 'express';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { useOwnParley } from '../support/parley';
import { PRODUCT_FOLDER } from '../support/product';
import { ALL_ROUTES as ROUTES } from '../support/routes';

const KB = 1_000;

/**
 * The routes that answer without a credential, with the largest number of bytes of an answer, compressed or not.
 */
const PUBLIC: Record<string, number> = {
  'GET /': 0.1 * KB,
  'GET /docs': 1 * KB,
  'GET /docs/show-document.js': 0.2 * KB,
  'GET /docs/swagger-ui.css': 200 * KB,
  'GET /docs/swagger-ui-bundle.js': 1_600 * KB,
  'GET /docs/favicon-32x32.png': 2 * KB,
  'GET /docs-json': 1_000 * KB,
  'GET /docs-yaml': 1_000 * KB,
  'GET /health/live': 0.1 * KB,
  'GET /health/ready': 0.2 * KB,
  'GET /metrics': 200 * KB,
  'GET /oidc': 0.2 * KB,
  'GET /oidc/callback': 0.3 * KB,
  'GET /oidc/sign-in': 0.3 * KB,
};

/** The functions that can answer before the routes. A new one is public too, and needs a bound below. */
const MIDDLEWARE = [
  'setSecurityHeaders',
  'requireOneHost',
  'takeMalformedEscapesLiterally',
  'logRequest',
  'limitPublicRequests',
  'answerCarrier',
  'serveConsoleFile',
  'serveDemoRecording',
];

/**
 * Functions of Nest and Express that parse queries, store data of requests and answer requests without a route.
 */
const OF_THE_FRAMEWORK = ['', '<anonymous>', 'query', 'handler'];

const consoleFolder = join(PRODUCT_FOLDER, 'console');

interface Layer {
  name: string;
  route?: { path: string | RegExp; methods: Record<string, boolean> };
}

describe('Without a credential', () => {
  // The metrics of a server that others use have more lines.
  const parley = useOwnParley();

  const layers = () =>
    (parley.app.getHttpAdapter().getInstance() as Express).router.stack as unknown as Layer[];

  async function readBytes(path: string, encoding: string, accept = '*/*'): Promise<number> {
    const answer = await fetch(parley.url + path, {
      headers: { accept, 'accept-encoding': encoding },
      redirect: 'manual',
    });
    const length = answer.headers.get('content-length');
    const { byteLength } = await answer.arrayBuffer();
    return Number(length ?? byteLength);
  }

  test('exactly the listed routes answer', () => {
    const ofApi = ROUTES.filter(({ access }) => access?.reach !== 'public').map(({ name }) =>
      name.replace(/{(\w+)}/g, ':$1'),
    );
    const registered = layers().flatMap(({ route }) => {
      if (!route) return [];
      const path = String(route.path) === '/^\\/$/' ? '/' : String(route.path);
      return Object.keys(route.methods).map((method) => `${method.toUpperCase()} ${path}`);
    });

    const open = [...new Set(registered.filter((name) => !ofApi.includes(name)))];
    expect(open.sort()).toEqual(Object.keys(PUBLIC).sort());
    // A request below it is counted for a workspace if it has a credential.
    expect(open.filter((name) => name.includes(' /api/'))).toEqual([]);
  });

  test('exactly the listed functions answer before the routes', () => {
    const names = layers()
      .filter(({ route }) => !route)
      .map(({ name }) => name);

    expect(names.filter((name) => !OF_THE_FRAMEWORK.includes(name)).sort()).toEqual([...MIDDLEWARE].sort());
    // Functions without a name are counted, so that a new one is noticed.
    expect(names.filter((name) => OF_THE_FRAMEWORK.includes(name))).toHaveLength(3);
  });

  test.each(Object.entries(PUBLIC))('%s answers with %d bytes at most', async (name, most) => {
    for (const encoding of ['identity', 'gzip']) {
      expect(await readBytes(name.replace('GET ', ''), encoding)).toBeLessThanOrEqual(most);
    }
  });

  test.each([
    ['/nothing', 0.3 * KB],
    ['/api/nothing', 0.3 * KB],
    ['/api/agents', 0.3 * KB],
    ['/demo/recordings/a.wav?seconds=1e9', 0.3 * KB],
  ])('the refusal of %s has %d bytes at most', async (path, most) => {
    expect(await readBytes(path, 'identity')).toBeLessThanOrEqual(most);
  });

  test('no file of the console has more than 600 kB', async () => {
    if (!existsSync(consoleFolder)) throw new Error('npm test has not built the console.');
    const assets = readdirSync(join(consoleFolder, 'assets')).map((name) => `/assets/${name}`);
    for (const path of ['/login', '/icon.svg', ...assets]) {
      expect(await readBytes(path, 'identity', 'text/html')).toBeLessThanOrEqual(600 * KB);
    }
  });
});
