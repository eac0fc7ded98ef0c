import { randomUUID } from 'node:crypto';
import { faultsOfTexts, type Parameter } from '../support/openapi';
import type { Case, Message } from './case';
import { idsLike, INHERITED_NAMES, type Schema, textsFor } from './hostile-values';
import { goodHead, goodMessage, operationOf, type Target } from './target';
import { without } from './without';

const isLegal = (schema: Schema, texts: Record<string, string>) => faultsOfTexts(schema, texts).length === 0;

const parametersOf = (target: Target, location: string): Parameter[] =>
  (operationOf(target).parameters ?? []).filter((parameter) => parameter.in === location);

/** Every form of an id that is nobody's, and that of another workspace. */
export function idCases(target: Target, foreign: Record<string, string>): Case[] {
  const good = goodMessage(target);
  return target.route.parameters.flatMap((name) => {
    const id = target.things[name] as string;
    const others = [foreign[name] as string, ...idsLike(id)].filter((other) => other !== id);
    return others.map((other) => ({
      about: `${name} is ${other.slice(0, 60)}`,
      request: { ...good, path: good.path.replace(encodeURIComponent(id), () => other) },
      isWrong: true,
      status: 404,
    }));
  });
}

const withQuery = (head: Message, query: string): Message => ({
  ...head,
  path: `${head.path.replace(/\?.*/, '')}?${query}`,
});

/** A good query with one thing wrong in it. A route that takes no query looks at none. */
export function queryCases(target: Target): Case[] {
  const head = goodHead(target);
  const parameters = parametersOf(target, 'query');
  if (parameters.length === 0) return [];
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const good = Object.fromEntries(new URL(head.path, 'http://a').searchParams);
  const queryOf = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const caseOf = (name: string, what: string, query: string, isWrong: boolean): Case => ({
    about: `query.${name} ${what}`,
    request: withQuery(head, query),
    isWrong,
    place: `query.${name}`,
  });

  const wrongValues = parameters.flatMap(({ name, schema: at }) => [
    ...textsFor(at).map((text) => {
      const values = { ...good, [name]: text };
      return caseOf(name, `is ${text.slice(0, 60)}`, queryOf(values), !isLegal(schema, values));
    }),
    caseOf(name, 'is NUL', queryOf({ ...good, [name]: 'a\0' }), true),
    caseOf(name, 'is no UTF-8', `${queryOf({ ...good, [name]: '' })}%ff%ed%a0%80%zz%`, false),
    caseOf(name, 'is there twice', `${queryOf({ ...good, [name]: '1' })}&${name}=1`, true),
    caseOf(name, 'is missing', queryOf(without(good, name)), !isLegal(schema, without(good, name))),
    ...['[]', '[a]', '[__proto__]'].map((suffix) =>
      caseOf(`${name}${suffix}`, 'is there', queryOf({ ...good, [`${name}${suffix}`]: '1' }), true),
    ),
  ]);
  const extra = ['unknown', '$where', ...INHERITED_NAMES, '__proto__[admin]', ''].map((name) =>
    caseOf(name, 'is there', `${queryOf(good)}&${encodeURIComponent(name)}=1`, true),
  );
  const many = Array.from({ length: 2_000 }, (_, index) => `a${index}`).join('&');
  return [...wrongValues, ...extra, caseOf('a0', 'and 1,999 more are there', many, true)];
}

const HEADER_TEXTS = [
  '',
  '\t',
  'a\tb',
  'x'.repeat(256),
  'x'.repeat(8_000),
  'é',
  '\xff',
  '__proto__',
  '{"a":1}',
];

/** What a header says that the route looks at. */
export function headerCases(target: Target): Case[] {
  return parametersOf(target, 'header').flatMap(({ name, schema }) =>
    HEADER_TEXTS.map((text) => {
      const good = goodMessage(target);
      return {
        about: `${name} is ${JSON.stringify(text).slice(0, 60)}`,
        request: { ...good, headers: { ...good.headers, [name]: text } },
        isWrong: !isLegal({ type: 'object', properties: { [name]: schema } }, { [name]: text }),
        place: `headers.${name.toLowerCase()}`,
      };
    }),
  );
}

/** Gives every other case a key of its own, where the route takes one: what is refused must leave it unused. */
export function withKeys(target: Target, cases: Case[]): Case[] {
  if (!parametersOf(target, 'header').some(({ name }) => name === 'Idempotency-Key')) return cases;
  return cases.map((each, index) => {
    const { request } = each;
    if (index % 2 === 0 || 'pieces' in request) return each;
    return {
      ...each,
      request: { ...request, headers: { 'Idempotency-Key': randomUUID(), ...request.headers } },
    };
  });
}
