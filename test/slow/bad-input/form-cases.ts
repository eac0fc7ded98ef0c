import { textSchemaErrors } from '../../support/openapi';
import type { Case } from './case';
import { INHERITED_NAMES, type Schema, textsFor } from './hostile-values';
import { multipartBody, type Part, toParts } from './multipart-body';
import { findPlaces } from './schema-places';
import { FORM_TYPE, FORM_TYPE_WITH_BOUNDARY, validBody, validHead, getSchema, type Target } from './target';
import { without } from './without';

/** A browser sends an empty text for a field without input, so it counts as missing. */
const isValid = (schema: Schema, fields: Record<string, string>) =>
  textSchemaErrors(schema, Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')))
    .length === 0;

const getTexts = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));

/** Valid forms with one invalid part each. */
export function formCases(target: Target): Case[] {
  const schema = getSchema(target, FORM_TYPE);
  if (!schema) return [];
  const head = validHead(target);
  const headers = { ...head.headers, 'content-type': FORM_TYPE_WITH_BOUNDARY };
  const validTexts = () => getTexts(validBody(target, FORM_TYPE));
  const createCase = (title: string, parts: Part[], isInvalid = true, field?: string): Case => ({
    title,
    request: { ...head, headers, body: multipartBody(parts) },
    isInvalid,
    fields: field === undefined ? [] : [field],
  });
  const withTexts = (title: string, name: string, fields: Record<string, string>, isInvalid: boolean) =>
    createCase(`${name} ${title.slice(0, 60)}`, toParts(fields), isInvalid, `body.${name}`);
  const alsoWith = (title: string, ...parts: Part[]) =>
    createCase(title, [...toParts(validTexts()), ...parts]);

  const fields = findPlaces(schema).map(({ path: [name = ''], schema: at }) => ({ name, at }));
  const wrongTexts = fields
    .filter(({ name }) => name !== 'file')
    .flatMap(({ name, at }) => [
      ...textsFor(at).map((text) => {
        const texts = { ...validTexts(), [name]: text };
        return withTexts(`is ${text}`, name, texts, !isValid(schema, texts));
      }),
      withTexts('is NUL', name, { ...validTexts(), [name]: 'a\0' }, true),
      withTexts('is 200 KB', name, { ...validTexts(), [name]: 'x'.repeat(200_000) }, true),
      createCase(
        `${name} is not UTF-8`,
        [...toParts(without(validTexts(), name)), { name, content: NOT_UTF_8 }],
        false,
      ),
      alsoWith(`${name} is a file`, { name, content: 'x', fileName: 'x.txt' }),
      alsoWith(`${name} is present twice`, { name, content: 'x' }, { name, content: 'x' }),
      ...NESTING.map((suffix) =>
        alsoWith(`${name}${suffix} is present`, { name: `${name}${suffix}`, content: 'x' }),
      ),
    ]);
  const missing = Object.keys(validTexts()).map((name) => {
    const left = without(validTexts(), name);
    return withTexts('is missing', name, left, !isValid(schema, left));
  });
  const extra = UNKNOWN_NAMES.map((name) =>
    alsoWith(`${name.slice(0, 60)} is present`, { name, content: 'x' }),
  );
  return [...wrongTexts, ...missing, ...extra];
}

const NOT_UTF_8 = Buffer.from('\xff\xed\xa0\x80', 'latin1');

/** Suffixes from which the form parser builds lists and objects. */
const NESTING = ['[a]', '[]', '[0]', '[4294967294]', '[__proto__][admin]', '[0][__proto__][admin]'];

/** The names of fields that no form has. */
const UNKNOWN_NAMES = [
  ...INHERITED_NAMES,
  'unknown',
  '$where',
  '',
  'a\0',
  'a\r\nb',
  'x'.repeat(300),
  '__proto__[admin]',
  'constructor[prototype][admin]',
  'a[b][c][d][e]',
  `a${'[b]'.repeat(60)}`,
];
