import { faultsOfTexts } from '../support/openapi';
import type { Case } from './case';
import { INHERITED_NAMES, type Schema, textsFor } from './hostile-values';
import { multipartBody, type Part, partsOf } from './multipart-body';
import { placesOf } from './schema-places';
import { FORM_TYPE, FORM_TYPE_WITH_BOUNDARY, goodBody, goodHead, schemaOf, type Target } from './target';
import { without } from './without';

/** An empty field is what a browser sends of one that nobody filled in. */
const isLegal = (schema: Schema, fields: Record<string, string>) =>
  faultsOfTexts(schema, Object.fromEntries(Object.entries(fields).filter(([, text]) => text !== '')))
    .length === 0;

const textsOf = (body: Record<string, unknown>) =>
  Object.fromEntries(Object.entries(body).map(([name, value]) => [name, String(value)]));

/** A good form with one thing wrong in one of its parts. */
export function formCases(target: Target): Case[] {
  const schema = schemaOf(target, FORM_TYPE);
  if (!schema) return [];
  const head = goodHead(target);
  const headers = { ...head.headers, 'content-type': FORM_TYPE_WITH_BOUNDARY };
  const good = () => textsOf(goodBody(target, FORM_TYPE));
  const caseOf = (about: string, parts: Part[], isWrong = true, place?: string): Case => ({
    about,
    request: { ...head, headers, body: multipartBody(parts) },
    isWrong,
    place,
  });
  const withTexts = (about: string, name: string, fields: Record<string, string>, isWrong: boolean) =>
    caseOf(`${name} ${about.slice(0, 60)}`, partsOf(fields), isWrong, `body.${name}`);
  const alsoWith = (about: string, ...parts: Part[]) => caseOf(about, [...partsOf(good()), ...parts]);

  const fields = placesOf(schema).map(({ path: [name = ''], schema: at }) => ({ name, at }));
  const wrongTexts = fields
    .filter(({ name }) => name !== 'file')
    .flatMap(({ name, at }) => [
      ...textsFor(at).map((text) => {
        const texts = { ...good(), [name]: text };
        return withTexts(`is ${text}`, name, texts, !isLegal(schema, texts));
      }),
      withTexts('is NUL', name, { ...good(), [name]: 'a\0' }, true),
      withTexts('is 200 KB', name, { ...good(), [name]: 'x'.repeat(200_000) }, true),
      caseOf(`${name} is no UTF-8`, [...partsOf(without(good(), name)), { name, content: NO_UTF_8 }], false),
      alsoWith(`${name} is a file`, { name, content: 'x', fileName: 'x.txt' }),
      alsoWith(`${name} is there twice`, { name, content: 'x' }, { name, content: 'x' }),
      ...NESTING.map((suffix) =>
        alsoWith(`${name}${suffix} is there`, { name: `${name}${suffix}`, content: 'x' }),
      ),
    ]);
  const missing = Object.keys(good()).map((name) => {
    const left = without(good(), name);
    return withTexts('is missing', name, left, !isLegal(schema, left));
  });
  const extra = NAMES.map((name) => alsoWith(`${name.slice(0, 60)} is there`, { name, content: 'x' }));
  return [...wrongTexts, ...missing, ...extra];
}

const NO_UTF_8 = Buffer.from('\xff\xed\xa0\x80', 'latin1');

/** What the form parser makes lists and objects of. */
const NESTING = ['[a]', '[]', '[0]', '[4294967294]', '[__proto__][admin]', '[0][__proto__][admin]'];

/** Of fields that no form has. */
const NAMES = [
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
