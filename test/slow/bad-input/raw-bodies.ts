import { gzipSync } from 'node:zlib';
import type { Case } from './case';
import { validBody, validHead, withoutEffect, JSON_TYPE, acceptsBody, type Target } from './target';

interface RawBody {
  title: string;
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
].map((body) => ({ title: body, body }));

const wrongEncodings: RawBody[] = [
  { title: 'in UTF-16', body: Buffer.from('{"a":1}', 'utf16le') },
  {
    title: 'in UTF-8 that is declared as UTF-16',
    body: '{"a":1}',
    headers: { 'content-type': `${JSON_TYPE}; charset=utf-16` },
  },
  { title: 'that is not UTF-8', body: Buffer.from('{"a":"\xff"}', 'latin1') },
  { title: 'with a surrogate in UTF-8', body: Buffer.from('{"a":"\xed\xa0\x80"}', 'latin1') },
  { title: 'with two byte-order marks', body: '\ufeff\ufeff{}' },
  {
    title: 'without compression that is declared as gzip',
    body: '{}',
    headers: { 'content-encoding': 'gzip' },
  },
  {
    title: 'in truncated gzip',
    body: gzipSync('{"a":1}').subarray(0, 12),
    headers: { 'content-encoding': 'gzip' },
  },
  {
    title: 'compressed twice',
    body: gzipSync(gzipSync('{}')),
    headers: { 'content-encoding': 'gzip, gzip' },
  },
  { title: 'of an unknown encoding', body: '{}', headers: { 'content-encoding': '__proto__' } },
  { title: 'that is a gzip bomb', body: bomb, headers: { 'content-encoding': 'gzip' } },
];

const otherContentTypes: RawBody[] = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'application/xml',
  'application/jsonp',
  'multipart/mixed; boundary=b',
  'json',
  '*/*',
  '__proto__',
  '',
].map((type) => ({ title: `of the type ${type}`, body: '{}', headers: { 'content-type': type } }));

const large: RawBody[] = [
  { title: 'of 2 MB', body: `{"a":"${'x'.repeat(2 * MEGABYTE)}"}` },
  { title: 'with 10,000 nested objects', body: nested('{"a":', '}', 10_000) },
  { title: 'with 200,000 nested lists', body: nested('[', ']', 200_000) },
  { title: 'with 200,000 unclosed lists', body: '['.repeat(200_000) },
  {
    title: 'with 60,000 names',
    body: `{${Array.from({ length: 60_000 }, (_, index) => `"a${index}":1`).join()}}`,
  },
  { title: 'with a name of half a megabyte', body: `{"${'x'.repeat(MEGABYTE / 2)}":1}` },
  { title: 'with a number of half a megabyte', body: `{"a":${'9'.repeat(MEGABYTE / 2)}}` },
];

const INVALID = [...notJson, ...wrongEncodings, ...otherContentTypes, ...large];

/** A sample for the routes without a body, which read a body nevertheless. */
const SAMPLE = INVALID.filter((_, index) => index % 6 === 0);

/** A valid body in unusual encodings. */
const unusual = (valid: string): RawBody[] => [
  { title: 'after a byte-order mark', body: `\ufeff${valid}` },
  { title: 'with duplicate names', body: valid.replace('{', '{"type":7,"name":null,') },
  {
    title: 'that is declared as Latin-1',
    body: valid,
    headers: { 'content-type': `${JSON_TYPE}; charset=latin1` },
  },
  { title: 'in gzip', body: gzipSync(valid), headers: { 'content-encoding': 'gzip' } },
  { title: 'with two content types', body: valid, headers: { 'content-type': `${JSON_TYPE}, text/plain` } },
  { title: 'without content', body: '' },
];

/** Bodies that are invalid for every route, and unusual ones. */
export function rawBodyCases(target: Target): Case[] {
  const head = validHead(withoutEffect(target));
  const createCase = ({ title, body, headers }: RawBody, isInvalid: boolean): Case => ({
    title: `a body ${title.slice(0, 60)}`,
    request: { ...head, headers: { ...head.headers, 'content-type': JSON_TYPE, ...headers }, body },
    isInvalid,
  });
  return [
    ...(acceptsBody(target)
      ? INVALID.map((body) => createCase(body, true))
      : SAMPLE.map((body) => createCase(body, false))),
    ...unusual(JSON.stringify(validBody(target, JSON_TYPE))).map((body) => createCase(body, false)),
  ];
}
