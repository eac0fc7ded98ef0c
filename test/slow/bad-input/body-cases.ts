import { schemaErrors } from '../../support/openapi';
import type { Case } from './case';
import { INHERITED_NAMES, jsonFor, jsonWithTextsFor, NEVER_VALID, type Schema } from './hostile-values';
import { findObjects, findPlaces } from './schema-places';
import { validBody, validHead, JSON_TYPE, getSchema, type Target } from './target';
import { without } from './without';

/** JSON at a path of a body. */
interface Value {
  path: string[];
  json: string;
}

/** Sets a value at a path of a body. The path is created if it does not exist. */
function setAt(body: object, path: string[], value: unknown): void {
  let at = body as Record<string, unknown>;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const next = at[name];
    const exists = typeof next === 'object' && next !== null;
    at[name] = exists ? next : path[depth + 1] === '0' ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
}

/** The JSON of a body with these values. */
function withValues(body: object, values: Value[]): string {
  const changed = structuredClone(body);
  for (const [index, { path }] of values.entries()) setAt(changed, path, `<${index}>`);
  return JSON.stringify(changed).replace(
    /"<(\d+)>"/g,
    (_, index: string) => values[Number(index)]?.json ?? '',
  );
}

const isWithin = (inner: string[], outer: string[]) => outer.every((name, depth) => inner[depth] === name);

/**
 * Distributes invalid values to few bodies, with at most one value for a field and the fields around it. A refusal names
 * every invalid field, so one request shows for each value that it is refused.
 */
function combine(values: Value[]): Value[][] {
  const combinations: Value[][] = [];
  for (const value of values) {
    const isIndependent = ({ path }: Value) => !isWithin(path, value.path) && !isWithin(value.path, path);
    const combination = combinations.find((others) => others.every(isIndependent));
    if (combination) combination.push(value);
    else combinations.push([value]);
  }
  return combinations;
}

function valuesFor(path: string[], schema: Schema): string[] {
  // A client may send a read-only field back; the server ignores it.
  if (schema.readOnly) return [];
  // The fields of nested objects have the same types as the outer ones.
  return path.length > 1 ? jsonFor(schema) : jsonWithTextsFor(schema);
}

/** Valid bodies with invalid and unusual values for every field. */
export function bodyCases(target: Target): Case[] {
  const schema = getSchema(target, JSON_TYPE);
  if (!schema) return [];
  const body = () => validBody(target, JSON_TYPE);
  const head = validHead(target);
  const headers = { ...head.headers, 'content-type': JSON_TYPE };
  const fieldName = (path: string[]) => ['body', ...path].join('.');
  const createCase = (title: string, json: string, isInvalid: boolean, paths: string[][]): Case => ({
    title,
    request: { ...head, headers, body: json },
    isInvalid,
    fields: paths.map(fieldName),
  });
  const caseWith = (values: Value[], isInvalid: boolean) =>
    createCase(
      values.map(({ path, json }) => `${fieldName(path)} is ${json.slice(0, 60)}`).join(', '),
      withValues(body(), values),
      isInvalid,
      values.map(({ path }) => path),
    );
  const isValid = (value: Value) =>
    schemaErrors(schema, JSON.parse(withValues(body(), [value]))).length === 0;

  const places = findPlaces(schema);
  const neverValid = places.flatMap(({ path }) => NEVER_VALID.map((json) => ({ path, json })));
  const values = places.flatMap(({ path, schema: at }) =>
    valuesFor(path, at).map((json) => ({ path, json })),
  );
  const [valid, invalid] = [values.filter(isValid), values.filter((value) => !isValid(value))];
  // The server refuses a body for one of these before it validates the other fields.
  const isRefusedFirst = ({ path }: Value) => path[0] === 'workspaceId';
  const missing = Object.keys(body()).map((name) => {
    const rest = without(body(), name);
    const isInvalid = schemaErrors(schema, rest).length > 0;
    return createCase(`${fieldName([name])} is missing`, JSON.stringify(rest), isInvalid, [[name]]);
  });
  const extra = findObjects(schema).flatMap((path) =>
    ['unknown', '$where', 'Type', ...INHERITED_NAMES].map((name) =>
      createCase(
        `${fieldName([...path, name])} is present`,
        withValues(body(), [{ path: [...path, '<name>'], json: '1' }]).replace('<name>', () => name),
        true,
        [[...path, name]],
      ),
    ),
  );
  return [
    ...[...neverValid, ...invalid.filter(isRefusedFirst)].map((value) => caseWith([value], true)),
    ...combine(invalid.filter((value) => !isRefusedFirst(value))).map((combined) => caseWith(combined, true)),
    ...valid.map((value) => caseWith([value], false)),
    ...missing,
    ...extra,
  ];
}
