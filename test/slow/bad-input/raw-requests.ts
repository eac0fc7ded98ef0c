import type { Case } from './case';
import { validHead, withoutEffect, JSON_TYPE, acceptsBody, type Target } from './target';

const MEGABYTE = 1024 * 1024;

/** A chunk of an endless body. */
const chunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`;

/** Requests that HTTP clients do not send. */
export function rawRequestCases(target: Target): Case[] {
  const { method, path, headers: credential } = validHead(withoutEffect(target));
  const requestLine = `${method} ${path} HTTP/1.1`;
  const common = [
    'Host: a',
    'Connection: close',
    ...Object.entries(credential).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = (lines: string[], first = requestLine) => [first, ...common, ...lines, '', ''].join('\r\n');
  const json = `Content-Type: ${JSON_TYPE}`;
  const invalid = (title: string, ...pieces: (string | Buffer)[]): Case => ({
    title,
    request: { pieces },
    isInvalid: true,
  });
  const unusual = (title: string, ...pieces: (string | Buffer)[]): Case => ({
    ...invalid(title, ...pieces),
    isInvalid: false,
  });
  /** A route without a body ignores one. */
  const invalidBody = acceptsBody(target) ? invalid : unusual;
  const truncated = (title: string, ...pieces: string[]): Case => ({
    title,
    request: { pieces, isConnectionLost: true },
    isInvalid: acceptsBody(target),
  });
  const withHost = (host: string) => [requestLine, `Host: ${host}`, ...common.slice(1), '', ''].join('\r\n');

  return [
    invalid('two lengths', head(['Content-Length: 1', 'Content-Length: 2']), '{}'),
    invalid(
      'a length and chunks',
      head([json, 'Content-Length: 2', 'Transfer-Encoding: chunked']),
      '0\r\n\r\n',
    ),
    invalid('a negative length', head(['Content-Length: -1'])),
    invalid('a length in letters', head(['Content-Length: 0x2']), '{}'),
    invalid('a length that is too large', head([`Content-Length: ${'9'.repeat(30)}`])),
    invalidBody('a length of a terabyte', head([json, 'Content-Length: 1099511627776']), '{'),
    unusual('a length that is too short', head([json, 'Content-Length: 1']), '{"a":1}'),
    truncated('a truncated body', head([json, 'Content-Length: 100']), '{"a":'),
    truncated('a truncated chunk', head([json, 'Transfer-Encoding: chunked']), '5\r\n{"a'),
    truncated('truncated headers', `${requestLine}\r\nHost: a\r\nX-A`),
    invalidBody('endless chunks', head([json, 'Transfer-Encoding: chunked']), chunk, chunk),
    invalid('an unknown transfer coding', head([json, 'Transfer-Encoding: nothing']), '{}'),
    invalid(
      'chunked before another transfer coding',
      head([json, 'Transfer-Encoding: chunked, gzip']),
      '0\r\n\r\n',
    ),
    invalid('a chunk without a size', head([json, 'Transfer-Encoding: chunked']), 'zz\r\n{}\r\n0\r\n\r\n'),
    invalid(
      'a chunk size that is too large',
      head([json, 'Transfer-Encoding: chunked']),
      `${'f'.repeat(20)}\r\n`,
    ),
    invalid('a long chunk extension', head([json, 'Transfer-Encoding: chunked']), `2;${'x'.repeat(20_000)}`),
    unusual('a trailer', head([json, 'Transfer-Encoding: chunked']), '2\r\n{}\r\n0\r\n__proto__: 1\r\n\r\n'),
    unusual(
      'the expectation of 100-continue',
      head([json, 'Content-Length: 2', 'Expect: 100-continue']),
      '{}',
    ),
    invalid('an unknown expectation', head([json, 'Content-Length: 2', 'Expect: a miracle']), '{}'),
    invalid('a header over two lines', head(['X-Odd: a\r\n b'])),
    invalid('a header without a colon', head(['X-Odd'])),
    invalid('a space before a colon', head(['X-Odd : a'])),
    invalid('a NUL in a header', head(['X-Odd: a\0b'])),
    invalid('a header with control characters', head(['X-Odd: \x01\x7f'])),
    invalid('a NUL in a header name', head(['X\0: a'])),
    invalid('a header of 20 KB', head([`X-Odd: ${'x'.repeat(20_000)}`])),
    invalid(
      'a path of 20 KB',
      head([], `${method} ${path}${path.includes('?') ? '&' : '?'}${'x'.repeat(20_000)} HTTP/1.1`),
    ),
    unusual('no version', head([], `${method} ${path}`)),
    invalid('an unsupported version', head([], `${method} ${path} HTTP/3.0`)),
    invalid('a space in the path', head([], `${method} ${path} x HTTP/1.1`)),
    invalid('a NUL in the path', head([], `${method} ${path}\0 HTTP/1.1`)),
    invalid('an unknown method', head([], `N0THING ${path} HTTP/1.1`)),
    invalid('a method in lower case', head([], `${method.toLowerCase()} ${path} HTTP/1.1`)),
    invalid('a method that the path does not allow', head([], `PROPFIND ${path} HTTP/1.1`)),
    invalid('the method CONNECT', head([], `CONNECT ${path} HTTP/1.1`)),
    invalid('no host', `${requestLine}\r\n${common.slice(1).join('\r\n')}\r\n\r\n`),
    unusual('an absolute URL as the path', head([], `${method} http://elsewhere${path} HTTP/1.1`)),
    unusual('an invalid host', withHost('\x80"<script>/../:99999')),
    unusual('an empty host', withHost('')),
    unusual('an upgrade to another protocol', head(['Connection: Upgrade', 'Upgrade: websocket'])),
    unusual('the version HTTP/1.0', head([], `${method} ${path} HTTP/1.0`)),
    unusual(
      'another method in the headers',
      head(['X-HTTP-Method-Override: DELETE', 'X-Method-Override: PUT']),
    ),
    unusual(
      'a hundred headers',
      head(Array.from({ length: 100 }, (_, index) => `X-${index}: ${'x'.repeat(50)}`)),
    ),
    unusual(
      'headers named like inherited properties',
      head(['__proto__: 1', 'constructor: 1', 'toString: 1']),
    ),
    unusual('headers that the server ignores', head(IGNORED_HEADERS)),
    ...REQUEST_IDS.map((id) => unusual(`the request id ${id.slice(0, 20)}`, head([`X-Request-Id: ${id}`]))),
    ...(Object.keys(credential).length === 0
      ? []
      : [
          invalid('two API keys', head([`X-API-Key: ${credential['x-api-key']}`])),
          invalid('a NUL in a credential', head(['Authorization: Bearer a\0'])),
          ...['', 'a', '\x80\xff', "' OR 1=1", 'x'.repeat(8_000), '__proto__'].map((key) =>
            invalid(`the key ${key.slice(0, 20)}`, withKey(requestLine, `X-API-Key: ${key}`)),
          ),
          ...[
            '',
            'Bearer',
            'Bearer ',
            'Bearer a.b.c',
            'Basic YTpi',
            'bearer [object Object]',
            NO_SIGNATURE,
          ].map((value) =>
            invalid(
              `the authorization ${value.slice(0, 20)}`,
              withKey(requestLine, `Authorization: ${value}`),
            ),
          ),
        ]),
  ];
}

const withKey = (requestLine: string, credential: string) =>
  Buffer.from([requestLine, 'Host: a', 'Connection: close', credential, '', ''].join('\r\n'), 'latin1');

/** A token with the algorithm none. */
const NO_SIGNATURE = `Bearer ${['{"alg":"none"}', '{"sub":"a","workspace_id":"a","exp":9999999999}', '']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')}`;

const REQUEST_IDS = ['', '%0d%0aSet-Cookie: a=b', '<script>', 'é', 'x'.repeat(8_000), '{"a":1}'];

const IGNORED_HEADERS = [
  'Accept: nothing/at-all;q=9',
  'Accept-Charset: utf-16',
  'Accept-Encoding: nothing',
  'Cookie: __proto__=1; a=%01',
  'Content-Disposition: attachment; filename="../x"',
  'Forwarded: for="_\\"',
  'If-Match: *',
  'If-Modified-Since: never',
  'If-None-Match: "none"',
  'Origin: null',
  'Range: bytes=9-1,-',
  'Referer: javascript:alert(1)',
  "X-Forwarded-For: 127.0.0.1, '; DROP TABLE agents; --",
  'X-Forwarded-Host: elsewhere',
  'X-Original-URL: /api/workspace',
];
