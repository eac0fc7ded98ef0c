const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);

/** Texts that somewhere in a system of this kind mean more than they say. */
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

/** Texts that are nearly numbers and dates. */
const NEARLY_MORE = [
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

/** JSON that no field of any type may have. */
export const NEVER_LEGAL = [
  '"a\\u0000b"',
  '"\\ud800"',
  '{"__proto__":{"admin":true}}',
  '{"a\\u0000":1}',
  '1e400',
  nested(40),
];

/** JSON that one field takes and another one must not. */
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

/** What lies just outside the bounds of a schema, as JSON. */
function beyond({ minimum, maximum, maxLength, maxItems, enum: choices }: Schema): string[] {
  const [choice] = (choices ?? []) as string[];
  return [
    ...(isNumber(minimum) ? [minimum - 1, minimum - 0.5] : []),
    ...(isNumber(maximum) ? [maximum + 1] : []),
    ...(isNumber(maxLength) ? ['x'.repeat(maxLength + 1)] : ['x'.repeat(8_000)]),
    ...(isNumber(maxItems) ? [Array(maxItems + 1).fill('x')] : []),
    ...(choice === undefined ? [] : [choice.toUpperCase(), `${choice} `, [choice]]),
  ].map((value) => JSON.stringify(value));
}

/** JSON to put where this schema stands; whether it is legal there, the schema says. */
export const jsonFor = (schema: Schema): string[] => [...OF_EACH_TYPE, ...beyond(schema)];

/** The same with texts of many kinds. */
export const jsonWithTextsFor = (schema: Schema): string[] => [
  ...jsonFor(schema),
  ...TEXTS.map((text) => JSON.stringify(text)),
];

/** The same for where there is only text, as in queries and forms. */
export const textsFor = (schema: Schema): string[] => [
  ...TEXTS,
  ...NEARLY_MORE,
  ...beyond(schema)
    .map((json) => JSON.parse(json) as unknown)
    .filter((value) => !Array.isArray(value))
    .map(String),
];

/** Names that JavaScript objects have without being given them. */
export const INHERITED_NAMES = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty'];

/** Escaped as a path has them. None of them is anybody's id. */
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
