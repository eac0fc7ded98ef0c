import type { Case } from './case';
import { goodHead, harmless, JSON_TYPE, takesBody, type Target } from './target';

const MEGABYTE = 1024 * 1024;

/** A piece of a body that goes on and on. */
const chunk = `${MEGABYTE.toString(16)}\r\n${'x'.repeat(MEGABYTE)}\r\n`;

/** What nothing but a connection of one's own can say. */
export function rawRequestCases(target: Target): Case[] {
  const { method, path, headers: credential } = goodHead(harmless(target));
  const requestLine = `${method} ${path} HTTP/1.1`;
  const common = [
    'Host: a',
    'Connection: close',
    ...Object.entries(credential).map(([name, value]) => `${name}: ${value}`),
  ];
  const head = (lines: string[], first = requestLine) => [first, ...common, ...lines, '', ''].join('\r\n');
  const json = `Content-Type: ${JSON_TYPE}`;
  const wrong = (about: string, ...pieces: (string | Buffer)[]): Case => ({
    about,
    request: { pieces },
    isWrong: true,
  });
  const odd = (about: string, ...pieces: (string | Buffer)[]): Case => ({
    ...wrong(about, ...pieces),
    isWrong: false,
  });
  /** Where it takes no body, it does not look at one. */
  const wrongBody = takesBody(target) ? wrong : odd;
  const cutOff = (about: string, ...pieces: string[]): Case => ({
    about,
    request: { pieces, isConnectionLost: true },
    isWrong: takesBody(target),
  });
  const withHost = (host: string) => [requestLine, `Host: ${host}`, ...common.slice(1), '', ''].join('\r\n');

  return [
    wrong('two lengths', head(['Content-Length: 1', 'Content-Length: 2']), '{}'),
    wrong(
      'a length and chunks',
      head([json, 'Content-Length: 2', 'Transfer-Encoding: chunked']),
      '0\r\n\r\n',
    ),
    wrong('a negative length', head(['Content-Length: -1'])),
    wrong('a length in letters', head(['Content-Length: 0x2']), '{}'),
    wrong('a length beyond all numbers', head([`Content-Length: ${'9'.repeat(30)}`])),
    wrongBody('a length of a terabyte', head([json, 'Content-Length: 1099511627776']), '{'),
    odd('a length that ends too early', head([json, 'Content-Length: 1']), '{"a":1}'),
    cutOff('a body that is cut off', head([json, 'Content-Length: 100']), '{"a":'),
    cutOff('a chunk that is cut off', head([json, 'Transfer-Encoding: chunked']), '5\r\n{"a'),
    cutOff('a head that is cut off', `${requestLine}\r\nHost: a\r\nX-A`),
    wrongBody('chunks without end', head([json, 'Transfer-Encoding: chunked']), chunk, chunk),
    wrong('an unknown coding', head([json, 'Transfer-Encoding: nothing']), '{}'),
    wrong('chunks before another coding', head([json, 'Transfer-Encoding: chunked, gzip']), '0\r\n\r\n'),
    wrong('a chunk without a size', head([json, 'Transfer-Encoding: chunked']), 'zz\r\n{}\r\n0\r\n\r\n'),
    wrong('a chunk beyond all sizes', head([json, 'Transfer-Encoding: chunked']), `${'f'.repeat(20)}\r\n`),
    wrong(
      'a chunk that says much of itself',
      head([json, 'Transfer-Encoding: chunked']),
      `2;${'x'.repeat(20_000)}`,
    ),
    odd(
      'a header after the body',
      head([json, 'Transfer-Encoding: chunked']),
      '2\r\n{}\r\n0\r\n__proto__: 1\r\n\r\n',
    ),
    odd('the question whether to go on', head([json, 'Content-Length: 2', 'Expect: 100-continue']), '{}'),
    wrong('an expectation that nobody meets', head([json, 'Content-Length: 2', 'Expect: a miracle']), '{}'),
    wrong('a header over two lines', head(['X-Odd: a\r\n b'])),
    wrong('a header without a colon', head(['X-Odd'])),
    wrong('a space before a colon', head(['X-Odd : a'])),
    wrong('a NUL in a header', head(['X-Odd: a\0b'])),
    wrong('a header in control characters', head(['X-Odd: \x01\x7f'])),
    wrong('a name of a header with a NUL', head(['X\0: a'])),
    wrong('a header of 20 KB', head([`X-Odd: ${'x'.repeat(20_000)}`])),
    wrong(
      'a path of 20 KB',
      head([], `${method} ${path}${path.includes('?') ? '&' : '?'}${'x'.repeat(20_000)} HTTP/1.1`),
    ),
    odd('no version', head([], `${method} ${path}`)),
    wrong('a version to come', head([], `${method} ${path} HTTP/3.0`)),
    wrong('a space in the path', head([], `${method} ${path} x HTTP/1.1`)),
    wrong('a NUL in the path', head([], `${method} ${path}\0 HTTP/1.1`)),
    wrong('a method that is none', head([], `N0THING ${path} HTTP/1.1`)),
    wrong('a method in small letters', head([], `${method.toLowerCase()} ${path} HTTP/1.1`)),
    wrong('a method that its path does not take', head([], `PROPFIND ${path} HTTP/1.1`)),
    wrong('the wish for a tunnel', head([], `CONNECT ${path} HTTP/1.1`)),
    wrong('no host', `${requestLine}\r\n${common.slice(1).join('\r\n')}\r\n\r\n`),
    odd('the whole address as a path', head([], `${method} http://elsewhere${path} HTTP/1.1`)),
    odd('a host that is none', withHost('\x80"<script>/../:99999')),
    odd('an empty host', withHost('')),
    odd('the wish for another protocol', head(['Connection: Upgrade', 'Upgrade: websocket'])),
    odd('a version from before', head([], `${method} ${path} HTTP/1.0`)),
    odd('another method in its headers', head(['X-HTTP-Method-Override: DELETE', 'X-Method-Override: PUT'])),
    odd(
      'a hundred headers',
      head(Array.from({ length: 100 }, (_, index) => `X-${index}: ${'x'.repeat(50)}`)),
    ),
    odd('headers named like what objects have', head(['__proto__: 1', 'constructor: 1', 'toString: 1'])),
    odd('headers that nobody looks at', head(ODD_HEADERS)),
    ...REQUEST_IDS.map((id) => odd(`the request id ${id.slice(0, 20)}`, head([`X-Request-Id: ${id}`]))),
    ...(Object.keys(credential).length === 0
      ? []
      : [
          wrong('its key twice', head([`X-API-Key: ${credential['x-api-key']}`])),
          wrong('a NUL in a credential', head(['Authorization: Bearer a\0'])),
          ...['', 'a', '\x80\xff', "' OR 1=1", 'x'.repeat(8_000), '__proto__'].map((key) =>
            wrong(`the key ${key.slice(0, 20)}`, withKey(requestLine, `X-API-Key: ${key}`)),
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
            wrong(`the authorization ${value.slice(0, 20)}`, withKey(requestLine, `Authorization: ${value}`)),
          ),
        ]),
  ];
}

const withKey = (requestLine: string, credential: string) =>
  Buffer.from([requestLine, 'Host: a', 'Connection: close', credential, '', ''].join('\r\n'), 'latin1');

/** A token that says that it needs no signature. */
const NO_SIGNATURE = `Bearer ${['{"alg":"none"}', '{"sub":"a","workspace_id":"a","exp":9999999999}', '']
  .map((part) => Buffer.from(part).toString('base64url'))
  .join('.')}`;

const REQUEST_IDS = ['', '%0d%0aSet-Cookie: a=b', '<script>', 'é', 'x'.repeat(8_000), '{"a":1}'];

const ODD_HEADERS = [
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
