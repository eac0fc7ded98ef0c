import { randomUUID } from 'node:crypto';
import { textSchemaErrors, type Parameter } from '../../support/openapi';
import { isId } from '../../support/routes';
import type { Case, HttpRequest } from './case';
import { idsLike, INHERITED_NAMES, type Schema, textsFor } from './hostile-values';
import { validRequest, getOperation, type Target } from './target';
import { without } from './without';

const isValid = (schema: Schema, texts: Record<string, string>) =>
  textSchemaErrors(schema, texts).length === 0;

const getParameters = (target: Target, location: string): Parameter[] =>
  (getOperation(target).parameters ?? []).filter((parameter) => parameter.in === location);

/** Ids that do not exist, and the id of another workspace's resource. */
export function idCases(target: Target, foreignIds: Record<string, string>): Case[] {
  const valid = validRequest(target);
  return target.route.parameters.filter(isId).flatMap((name) => {
    const id = target.resourceIds[name] as string;
    const others = [foreignIds[name] as string, ...idsLike(id)].filter((other) => other !== id);
    return others.map((other) => ({
      title: `${name} is ${other.slice(0, 60)}`,
      request: { ...valid, path: valid.path.replace(encodeURIComponent(id), () => other) },
      isInvalid: true,
      status: 404,
    }));
  });
}

const withQuery = (head: HttpRequest, query: string): HttpRequest => ({
  ...head,
  path: `${head.path.replace(/\?.*/, '')}?${query}`,
});

/** Valid queries with one invalid parameter each. A route without query parameters ignores the query. */
export function queryCases(target: Target): Case[] {
  const head = validRequest(target);
  const parameters = getParameters(target, 'query');
  if (parameters.length === 0) return [];
  const schema: Schema = {
    type: 'object',
    properties: Object.fromEntries(parameters.map((parameter) => [parameter.name, parameter.schema])),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
  };
  const valid = Object.fromEntries(new URL(head.path, 'http://a').searchParams);
  const toQuery = (values: Record<string, string>) => new URLSearchParams(values).toString();
  const createCase = (name: string, what: string, query: string, isInvalid: boolean): Case => ({
    title: `query.${name} ${what}`,
    request: withQuery(head, query),
    isInvalid,
    fields: [`query.${name}`],
  });

  const wrongValues = parameters.flatMap(({ name, schema: at }) => [
    ...textsFor(at).map((text) => {
      const values = { ...valid, [name]: text };
      return createCase(name, `is ${text.slice(0, 60)}`, toQuery(values), !isValid(schema, values));
    }),
    createCase(name, 'is NUL', toQuery({ ...valid, [name]: 'a\0' }), true),
    createCase(name, 'is not UTF-8', `${toQuery({ ...valid, [name]: '' })}%ff%ed%a0%80%zz%`, false),
    createCase(name, 'is present twice', `${toQuery({ ...valid, [name]: '1' })}&${name}=1`, true),
    createCase(name, 'is missing', toQuery(without(valid, name)), !isValid(schema, without(valid, name))),
    ...['[]', '[a]', '[__proto__]'].map((suffix) =>
      createCase(`${name}${suffix}`, 'is present', toQuery({ ...valid, [`${name}${suffix}`]: '1' }), true),
    ),
  ]);
  const extra = ['unknown', '$where', ...INHERITED_NAMES, '__proto__[admin]', ''].map((name) =>
    createCase(name, 'is present', `${toQuery(valid)}&${encodeURIComponent(name)}=1`, true),
  );
  const many = Array.from({ length: 2_000 }, (_, index) => `a${index}`).join('&');
  return [...wrongValues, ...extra, createCase('a0', 'and 1,999 others are present', many, true)];
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

/** Values of the headers that the route reads. */
export function headerCases(target: Target): Case[] {
  return getParameters(target, 'header').flatMap(({ name, schema }) =>
    HEADER_TEXTS.map((text) => {
      const valid = validRequest(target);
      return {
        title: `${name} is ${JSON.stringify(text).slice(0, 60)}`,
        request: { ...valid, headers: { ...valid.headers, [name]: text } },
        isInvalid: !isValid({ type: 'object', properties: { [name]: schema } }, { [name]: text }),
        fields: [`headers.${name.toLowerCase()}`],
      };
    }),
  );
}

/** Adds an Idempotency-Key to every second case if the route takes one: a refused request must not store its key. */
export function withKeys(target: Target, cases: Case[]): Case[] {
  if (!getParameters(target, 'header').some(({ name }) => name === 'Idempotency-Key')) return cases;
  return cases.map((each, index) => {
    const { request } = each;
    if (index % 2 === 0 || 'pieces' in request) return each;
    return {
      ...each,
      request: { ...request, headers: { 'Idempotency-Key': randomUUID(), ...request.headers } },
    };
  });
}
