import { document } from '../../support/openapi';
import type { Schema } from './hostile-values';

/** A field that a schema describes, at any depth. */
export interface Place {
  path: string[];
  schema: Schema;
}

const named = (reference: string) =>
  document.components.schemas[reference.replace('#/components/schemas/', '')] as Schema;

/** A schema, the schema that it references and the ones that it combines. */
function getParts(schema: Schema): Schema[] {
  const { $ref, allOf, oneOf } = schema as { $ref?: string; allOf?: Schema[]; oneOf?: Schema[] };
  return [
    schema,
    ...($ref === undefined ? [] : getParts(named($ref))),
    ...[...(allOf ?? []), ...(oneOf ?? [])].flatMap(getParts),
  ];
}

const getProperties = (schema: Schema) =>
  Object.assign({}, ...getParts(schema).map(({ properties }) => properties)) as Record<string, Schema>;

/** Every field that a schema describes, including those of nested objects, the items of lists and the values of maps. */
export function findPlaces(schema: Schema, path: string[] = []): Place[] {
  const inside = Object.entries(getProperties(schema));
  for (const { items, additionalProperties } of getParts(schema)) {
    if (items) inside.push(['0', items as Schema]);
    if (additionalProperties)
      inside.push(['key', additionalProperties === true ? {} : (additionalProperties as Schema)]);
  }
  return inside.flatMap(([name, at]) => {
    const place = [...path, name];
    return [{ path: place, schema: Object.assign({}, ...getParts(at)) as Schema }, ...findPlaces(at, place)];
  });
}

/** The paths of the described objects that have named fields, including the outermost object. */
export function findObjects(schema: Schema): string[][] {
  const isObject = (at: Schema) => Object.keys(getProperties(at)).length > 0;
  return [
    ...(isObject(schema) ? [[]] : []),
    ...findPlaces(schema).flatMap(({ path, schema: at }) => (isObject(at) ? [path] : [])),
  ];
}
