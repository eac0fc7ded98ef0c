import { schemaErrors } from '../../support/openapi';
import type { Case } from './case';
import { INHERITED_NAMES, jsonFor, jsonWithTextsFor, NEVER_VALID, type Schema } from './hostile-values';
import { objectsOf, placesOf } from './schema-places';
import { validBody, validHead, JSON_TYPE, schemaOf, type Target } from './target';
import { without } from './without';

const PLACEHOLDER = '<here>';

/** Returns a copy of a body with a value at a path, which is created if it does not exist. */
function withValueAt(body: object, path: string[], value: unknown): object {
  const changed = structuredClone(body);
  let at = changed as Record<string, unknown>;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const next = at[name];
    const exists = typeof next === 'object' && next !== null;
    at[name] = exists ? next : path[depth + 1] === '0' ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
  return changed;
}

const withJsonAt = (body: object, path: string[], json: string) =>
  JSON.stringify(withValueAt(body, path, PLACEHOLDER)).replace(`"${PLACEHOLDER}"`, () => json);

function valuesFor(path: string[], schema: Schema): string[] {
  // A client may send a read-only field back; the server ignores it.
  if (schema.readOnly) return [];
  // The fields of nested objects have the same types as the outer ones.
  return path.length > 1 ? jsonFor(schema) : jsonWithTextsFor(schema);
}

/** Valid bodies with one invalid field each, for every field. */
export function bodyCases(target: Target): Case[] {
  const schema = schemaOf(target, JSON_TYPE);
  if (!schema) return [];
  const valid = () => validBody(target, JSON_TYPE);
  const head = validHead(target);
  const headers = { ...head.headers, 'content-type': JSON_TYPE };
  const fieldName = (path: string[]) => ['body', ...path].join('.');
  const caseOf = (path: string[], what: string, body: string, isInvalid: boolean): Case => ({
    title: `${fieldName(path)} ${what}`,
    request: { ...head, headers, body },
    isInvalid,
    field: fieldName(path),
  });

  const wrongValues = placesOf(schema).flatMap(({ path, schema: at }) => [
    ...NEVER_VALID.map((json) => caseOf(path, `is ${json}`, withJsonAt(valid(), path, json), true)),
    ...valuesFor(path, at).map((json) => {
      const body = withJsonAt(valid(), path, json);
      return caseOf(path, `is ${json.slice(0, 60)}`, body, schemaErrors(schema, JSON.parse(body)).length > 0);
    }),
  ]);
  const missing = Object.keys(valid()).map((name) => {
    const rest = without(valid(), name);
    return caseOf([name], 'is missing', JSON.stringify(rest), schemaErrors(schema, rest).length > 0);
  });
  const extra = objectsOf(schema).flatMap((path) =>
    ['unknown', '$where', 'Type', ...INHERITED_NAMES].map((name) =>
      caseOf(
        [...path, name],
        'is present',
        withJsonAt(valid(), [...path, '<name>'], '1').replace('<name>', () => name),
        true,
      ),
    ),
  );
  return [...wrongValues, ...missing, ...extra];
}
