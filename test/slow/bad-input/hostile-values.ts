const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Texts that have a special meaning in some part of such a system. */
const TEXTS = [
  '',
  ' ',
  'x',
  'true',
  '1',
  "' OR 1=1; DROP TABLE agents; --",
  '../../{{greeting}}${7*7}%s%n$1',
  '\u202e\u200b\ufeff\u0001\u001b[31m\r\nSet-Cookie: a=b 😀 ﷽ e\u0301',
  '2026-02-30T00:00:00Z',
  'javascript:alert(1)',
  '+1555123456789012345',
];

/** Texts that look like numbers, dates or other values. */
const ALMOST_VALUES = [
  '-1',
  '1e3',
  '0x10',
  '1.5',
  'NaN',
  'null',
  'undefined',
  '[object Object]',
  '0000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  'infinity',
  'http://[::1',
];

/** JSON that is invalid for every field. */
export const NEVER_VALID = [
  '"a\\u0000b"',
  '"\\ud800"',
  '{"__proto__":{"admin":true}}',
  '{"a\\u0000":1}',
  '1e400',
  nested(40),
];

/** JSON that is valid for some fields and invalid for others. */
const OF_EACH_TYPE = [
  'null',
  'true',
  '-1',
  '1.5',
  '9007199254740993',
  '[]',
  '[null]',
  '{}',
  '{"length":1,"0":"x"}',
  '""',
  '" x"',
];

export type Schema = Record<string, unknown>;

const isNumber = (value: unknown): value is number => typeof value === 'number';

/** Values just outside the limits of a schema, as JSON. */
function outOfBounds({ minimum, maximum, maxLength, maxItems, enum: choices }: Schema): string[] {
  const [choice] = (choices ?? []) as unknown[];
  return [
    ...(isNumber(minimum) ? [minimum - 1, minimum - 0.5] : []),
    ...(isNumber(maximum) ? [maximum + 1] : []),
    ...(isNumber(maxLength) ? ['x'.repeat(maxLength + 1)] : ['x'.repeat(8_000)]),
    ...(isNumber(maxItems) ? [Array(maxItems + 1).fill('x')] : []),
    ...(typeof choice === 'string' ? [choice.toUpperCase(), `${choice} `, [choice]] : []),
  ].map((value) => JSON.stringify(value));
}

/** JSON to try for a field with this schema; the schema decides whether it is valid. */
export const jsonFor = (schema: Schema): string[] => [...OF_EACH_TYPE, ...outOfBounds(schema)];

/** The same JSON and many kinds of texts. */
export const jsonWithTextsFor = (schema: Schema): string[] => [
  ...jsonFor(schema),
  ...TEXTS.map((text) => JSON.stringify(text)),
];

/** Texts to try for a field of a query or form. */
export const textsFor = (schema: Schema): string[] => [
  ...TEXTS,
  ...ALMOST_VALUES,
  ...outOfBounds(schema)
    .map((json) => JSON.parse(json) as unknown)
    .filter((value) => !Array.isArray(value))
    .map(String),
];

/** Names of properties that JavaScript objects inherit. */
export const INHERITED_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** Ids that do not exist, escaped for a path. */
export const idsLike = (id: string): string[] => [
  'none',
  '0',
  '-1',
  'null',
  'undefined',
  '%20',
  '%00',
  '%ff',
  '%',
  '%zz',
  '%ed%a0%80',
  '%2e%2e',
  '..%2f..%2fworkspace',
  `${id}%00`,
  `${id}%0a`,
  `%20${id}`,
  `${id}%20`,
  `${id}%2f`,
  `${id}0`,
  id.slice(1),
  id.replaceAll('-', ''),
  `%7b${id}%7d`,
  `urn:uuid:${id}`,
  `${id},${id}`,
  `${id};a=b`,
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '%F0%9F%98%80',
  '%D9%A1',
  encodeURIComponent("' OR '1'='1"),
  encodeURIComponent("'; DROP TABLE agents; --"),
  '__proto__',
  'constructor',
  '{agent_id}',
  'x'.repeat(8_000),
];
