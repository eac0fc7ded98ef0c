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

const sendRaw = (title: string, bytes: string | Buffer): Case => ({
  title,
  request: { pieces: [bytes] },
  isInvalid: true,
});

/** Requests that reach no route. */
export const strayCases: Case[] = [
  ...PATHS.flatMap((path) =>
    ['GET', 'POST', 'OPTIONS'].map((method) =>
      sendRaw(`${method} ${path}`, `${method} ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`),
    ),
  ),
  sendRaw('a TLS ClientHello', Buffer.from('16030100c8010000c40303', 'hex')),
  sendRaw('an SSH banner', 'SSH-2.0-OpenSSH_9.6\r\n'),
  sendRaw('a Redis command', '*1\r\n$4\r\nPING\r\n'),
  sendRaw('a thousand NULs', Buffer.alloc(1_000)),
];
