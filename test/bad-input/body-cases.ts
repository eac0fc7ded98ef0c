import { faultsOf } from '../support/openapi';
import type { Case } from './case';
import { INHERITED_NAMES, jsonFor, jsonWithTextsFor, NEVER_LEGAL, type Schema } from './hostile-values';
import { objectsOf, placesOf } from './schema-places';
import { goodBody, goodHead, JSON_TYPE, schemaOf, type Target } from './target';
import { without } from './without';

const PLACEHOLDER = '<here>';

/** A copy of a body with this in one place, where there may have been nothing. */
function withValueAt(body: object, path: string[], value: unknown): object {
  const changed = structuredClone(body);
  let at = changed as Record<string, unknown>;
  for (const [depth, name] of path.slice(0, -1).entries()) {
    const next = at[name];
    const isThere = typeof next === 'object' && next !== null;
    at[name] = isThere ? next : path[depth + 1] === '0' ? [] : {};
    at = at[name] as Record<string, unknown>;
  }
  at[path.at(-1) as string] = value;
  return changed;
}

const withJsonAt = (body: object, path: string[], json: string) =>
  JSON.stringify(withValueAt(body, path, PLACEHOLDER)).replace(`"${PLACEHOLDER}"`, () => json);

function valuesFor(path: string[], schema: Schema): string[] {
  // What is only read may be sent back; it is not looked at.
  if (schema.readOnly) return [];
  // The fields of nested objects are of the same kinds as the outer ones.
  return path.length > 1 ? jsonFor(schema) : jsonWithTextsFor(schema);
}

/** A good body with one thing wrong in it, for every field that there is. */
export function bodyCases(target: Target): Case[] {
  const schema = schemaOf(target, JSON_TYPE);
  if (!schema) return [];
  const good = () => goodBody(target, JSON_TYPE);
  const head = goodHead(target);
  const headers = { ...head.headers, 'content-type': JSON_TYPE };
  const place = (path: string[]) => ['body', ...path].join('.');
  const caseOf = (path: string[], what: string, body: string, isWrong: boolean): Case => ({
    about: `${place(path)} ${what}`,
    request: { ...head, headers, body },
    isWrong,
    place: place(path),
  });

  const wrongValues = placesOf(schema).flatMap(({ path, schema: at }) => [
    ...NEVER_LEGAL.map((json) => caseOf(path, `is ${json}`, withJsonAt(good(), path, json), true)),
    ...valuesFor(path, at).map((json) => {
      const body = withJsonAt(good(), path, json);
      return caseOf(path, `is ${json.slice(0, 60)}`, body, faultsOf(schema, JSON.parse(body)).length > 0);
    }),
  ]);
  const missing = Object.keys(good()).map((name) => {
    const rest = without(good(), name);
    return caseOf([name], 'is missing', JSON.stringify(rest), faultsOf(schema, rest).length > 0);
  });
  const extra = objectsOf(schema).flatMap((path) =>
    ['unknown', '$where', 'Type', ...INHERITED_NAMES].map((name) =>
      caseOf(
        [...path, name],
        'is there',
        withJsonAt(good(), [...path, '<name>'], '1').replace('<name>', () => name),
        true,
      ),
    ),
  );
  return [...wrongValues, ...missing, ...extra];
}
