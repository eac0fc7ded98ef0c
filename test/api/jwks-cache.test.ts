import { Logger } from '@nestjs/common';
import type { ServerResponse } from 'node:http';
import { JwksCache } from '../../src/accounts/auth/jwks-cache';
import { ecKey, IdentityProvider, rsaKey } from '../support/identity-provider';
import { until } from '../support/until';

/** The time is longer than a test. */
const HOUR_MS = 3_600_000;
const intervals = { refreshMs: HOUR_MS, retryMs: HOUR_MS, cooldownMs: HOUR_MS };

const rsa = rsaKey();

describe('JwksCache', () => {
  let provider: IdentityProvider;
  let url: string;
  let keys: JwksCache | undefined;
  let warnings: unknown[];

  beforeEach(async () => {
    warnings = [];
    const warn = (...values: unknown[]) =>
      warnings.push(values[1] === JwksCache.name ? values[0] : values[1]);
    Logger.overrideLogger({ log: warn, error: warn, warn });
    provider = new IdentityProvider({ first: rsa });
    url = await provider.start();
  });
  afterEach(async () => {
    await keys?.stop();
    await provider.stop();
  });

  const start = (changes: Partial<typeof intervals> = {}) => {
    keys = new JwksCache(url, { ...intervals, ...changes });
    keys.start();
    return keys;
  };
  const isKnown = async (from: JwksCache, kid?: string) =>
    (await from.find('RS256', kid).catch(() => undefined)) !== undefined;

  test('are reloaded regularly, so that a new one becomes known and a removed one unknown', async () => {
    const published = start({ refreshMs: 10 });
    expect(await isKnown(published, 'first')).toBe(true);

    provider.keys.second = rsa;
    delete provider.keys.first;

    await until(() => isKnown(published, 'second'));
    expect(await isKnown(published, 'first')).toBe(false);
  });

  test('are known immediately while the provider does not answer', async () => {
    const published = start({ refreshMs: 1 });
    expect(await isKnown(published, 'first')).toBe(true);
    provider.isSilent = true;
    const before = provider.requests;
    await until(() => provider.requests > before);

    expect(await isKnown(published, 'first')).toBe(true);
  });

  test('are reloaded for an unknown key id once per cooldown', async () => {
    const published = start({ cooldownMs: 100 });
    await isKnown(published, 'first');
    await isKnown(published, 'unknown');
    provider.keys.second = rsa;

    expect(await isKnown(published, 'second')).toBe(false);
    expect(provider.requests).toBe(2);

    await until(() => isKnown(published, 'second'));
    expect(provider.requests).toBe(3);
  });

  test('stay known while they cannot be loaded', async () => {
    const published = start({ refreshMs: 1, retryMs: 1 });
    expect(await isKnown(published, 'first')).toBe(true);
    provider.answer = (response) => response.writeHead(500).end();
    const before = provider.requests;
    await until(() => provider.requests > before + 3);

    expect(await isKnown(published, 'first')).toBe(true);
  });

  const answers: [what: string, answer: (response: ServerResponse) => void][] = [
    ['an error', (response) => response.writeHead(503).end('{"keys":[]}')],
    ['text that is not JSON', (response) => response.end('<html>')],
    ['null', (response) => response.end('null')],
    ['an object without a list of keys', (response) => response.end('{"keys":{}}')],
    ['more than a hundred keys', (response) => response.end(JSON.stringify({ keys: Array(101).fill({}) }))],
    ['more than a megabyte', (response) => response.end(' '.repeat(1_048_577) + '{"keys":[]}')],
    ['an incomplete body', (response) => response.writeHead(200).write('{', () => response.destroy())],
  ];

  test.each(answers)('are unavailable if the provider answers with %s', async (_, answer) => {
    provider.answer = answer;

    await expect(start().find('RS256', 'first')).rejects.toMatchObject({
      status: 503,
      errorCode: 'KEYS_UNAVAILABLE',
    });
  });

  test('that are too weak are ignored, with one warning each', async () => {
    provider.keys.small = rsaKey(1_024);
    provider.keys.curve = ecKey('P-384');
    const cache = start({ refreshMs: 1 });

    expect(await isKnown(cache, 'small')).toBe(false);
    expect(await cache.find('ES256', 'curve')).toBeUndefined();
    await until(() => provider.requests > 5);

    const warning =
      'A key at JWKS_URL and the tokens signed with it are refused: it is neither RSA of 2,048 bits or more nor EC on P-256';
    expect(warnings).toEqual([warning, warning]);
  });

  test('are found without a key id in the token if the provider has only one key', async () => {
    const published = start({ refreshMs: 10 });
    expect(await isKnown(published)).toBe(true);
    expect(await published.find('ES256', undefined)).toBeUndefined();

    provider.keys.second = ecKey();

    await until(async () => !(await isKnown(published)));
  });

  test('that are not for signatures or are malformed are ignored', async () => {
    const jwk = { kty: 'RSA', n: 'AQAB', e: 'AQAB' };
    provider.answer = (response) =>
      response.end(
        JSON.stringify({
          keys: [
            null,
            7,
            'key',
            [],
            { ...jwk, kid: 'first', use: 'enc' },
            { ...jwk, kid: 'first', alg: 'RS512' },
            { kty: 'RSA', kid: 'first' },
            { kty: 'EC', kid: 'first', crv: 'P-256', x: 'AA', y: 'AA' },
            { kty: 'oct', kid: 'first', k: 'c2VjcmV0' },
            { kty: ['RSA'], kid: 'first' },
          ],
        }),
      );

    expect(await start().find('RS256', 'first')).toBeUndefined();
  });
});
