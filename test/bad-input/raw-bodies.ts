import { gzipSync } from 'node:zlib';
import type { Case } from './case';
import { goodBody, goodHead, harmless, JSON_TYPE, takesBody, type Target } from './target';

interface RawBody {
  about: string;
  body: string | Buffer;
  headers?: Record<string, string>;
}

const MEGABYTE = 1024 * 1024;

const nested = (open: string, close: string, depth: number) =>
  `{"a":${open.repeat(depth)}1${close.repeat(depth)}}`;

const bomb = gzipSync(`{"a":"${'x'.repeat(20 * MEGABYTE)}"}`);

const notJson: RawBody[] = [
  ...[
    'null',
    'true',
    '7',
    '"text"',
    '[]',
    '[{}]',
    ' ',
    '{',
    '{"a":',
    '{"a":1,}',
    "{'a':1}",
    '{"a":01}',
    '{"a":0x1}',
  ],
  ...[
    '{"a":NaN}',
    '{"a":1}}',
    '{"a":1} {}',
    '{"a":1/**/}',
    '{"a":"\t"}',
    '{"a":"\\x"}',
    '{"a":"\\u12"}',
    '{a:1}',
  ],
].map((body) => ({ about: body, body }));

const misread: RawBody[] = [
  { about: 'UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
  {
    about: 'JSON that says it is UTF-16',
    body: '{"a":1}',
    headers: { 'content-type': `${JSON_TYPE}; charset=utf-16` },
  },
  { about: 'no UTF-8', body: Buffer.from('{"a":"\xff"}', 'latin1') },
  { about: 'half a character in UTF-8', body: Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1') },
  { about: 'two byte-order marks', body: '\ufeff\ufeff{}' },
  { about: 'no gzip that says it is', body: '{}', headers: { 'content-encoding': 'gzip' } },
  {
    about: 'gzip cut off',
    body: gzipSync('{"a":1}').subarray(0, 12),
    headers: { 'content-encoding': 'gzip' },
  },
  {
    about: 'gzip within gzip',
    body: gzipSync(gzipSync('{}')),
    headers: { 'content-encoding': 'gzip, gzip' },
  },
  { about: 'of no encoding that there is', body: '{}', headers: { 'content-encoding': '__proto__' } },
  { about: 'a gzip bomb', body: bomb, headers: { 'content-encoding': 'gzip' } },
];

const ofAnotherType: RawBody[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonp',
  'multipart/mixed; boundary=b',
  'json',
  '*/*',
  '__proto__',
  '',
].map((type) => ({ about: `of the type ${type}`, body: '{}', headers: { 'content-type': type } }));

const large: RawBody[] = [
  { about: '2 MB', body: `{"a":"${'x'.repeat(2 * MEGABYTE)}"}` },
  { about: '10,000 objects deep', body: nested('{"a":', '}', 10_000) },
  { about: '200,000 lists deep', body: nested('[', ']', 200_000) },
  { about: '200,000 lists that nobody closes', body: '['.repeat(200_000) },
  {
    about: 'of 60,000 names',
    body: `{${Array.from({ length: 60_000 }, (_, index) => `"a${index}":1`).join()}}`,
  },
  { about: 'of a name of half a megabyte', body: `{"${'x'.repeat(MEGABYTE / 2)}":1}` },
  { about: 'of a number of half a megabyte', body: `{"a":${'9'.repeat(MEGABYTE / 2)}}` },
];

const WRONG = [...notJson, ...misread, ...ofAnotherType, ...large];

/** For routes that take none, which read them all the same. */
const SOME = WRONG.filter((_, index) => index % 6 === 0);

/** Bodies that say something good in an odd way. */
const oddly = (good: string): RawBody[] => [
  { about: 'after a byte-order mark', body: `\ufeff${good}` },
  { about: 'with one name twice', body: good.replace('{', '{"type":7,"name":null,') },
  {
    about: 'in Latin-1 by its own account',
    body: good,
    headers: { 'content-type': `${JSON_TYPE}; charset=latin1` },
  },
  { about: 'packed', body: gzipSync(good), headers: { 'content-encoding': 'gzip' } },
  { about: 'of two types', body: good, headers: { 'content-type': `${JSON_TYPE}, text/plain` } },
  { about: 'empty', body: '' },
];

/** What is no body of any route, or hardly one. */
export function rawBodyCases(target: Target): Case[] {
  const head = goodHead(harmless(target));
  const caseOf = ({ about, body, headers }: RawBody, isWrong: boolean): Case => ({
    about: `a body ${about.slice(0, 60)}`,
    request: { ...head, headers: { ...head.headers, 'content-type': JSON_TYPE, ...headers }, body },
    isWrong,
  });
  return [
    ...(takesBody(target)
      ? WRONG.map((body) => caseOf(body, true))
      : SOME.map((body) => caseOf(body, false))),
    ...oddly(JSON.stringify(goodBody(target, JSON_TYPE))).map((body) => caseOf(body, false)),
  ];
}
