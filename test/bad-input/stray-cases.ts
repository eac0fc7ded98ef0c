import type { Case } from './case';

const PATHS = [
  '*',
  '//',
  '/%',
  '/%00',
  '/%2e%2e/package.json',
  '/../package.json',
  '/docs/../../package.json',
  '/docs/..%2f..%2fpackage.json',
  '/docs/swagger-ui.css%00',
  '/__proto__',
  '/constructor/prototype',
  '/api/agents/;drop',
  '/api\\agents',
  `/${'x/'.repeat(5_000)}`,
];

const overWire = (about: string, bytes: string | Buffer): Case => ({
  about,
  request: { pieces: [bytes] },
  isWrong: true,
});

/** What no route sees. */
export const strayCases: Case[] = [
  ...PATHS.flatMap((path) =>
    ['GET', 'POST', 'OPTIONS'].map((method) =>
      overWire(`${method} ${path}`, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    ),
  ),
  overWire('a greeting in TLS', Buffer.from('16030100c8010000c40303', 'hex')),
  overWire('a greeting in SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
  overWire('a query of Redis', '*1\r\n$4\r\nPING\r\n'),
  overWire('NULs', Buffer.alloc(1_000)),
];
