import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface Schema {
  $ref?: string;
  allOf?: Schema[];
  properties?: Record<string, Schema>;
}

const root = join(__dirname, '..', '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');
const { components } = JSON.parse(read('docs/openapi.json')) as {
  components: { schemas: Record<string, Schema> };
};

/** The paths of all fields of a schema, such as `callConfig.timeZone`. */
function listFields(schema: Schema, path: string[] = []): string[] {
  const [name] = [schema, ...(schema.allOf ?? [])].flatMap(({ $ref }) => $ref?.split('/').at(-1) ?? []);
  const { properties } = (name && components.schemas[name]) || schema;
  if (!properties) return [path.join('.')];
  return Object.entries(properties).flatMap(([key, value]) => listFields(value, [...path, key]));
}

/** The path itself, its last name, and the groups that it is in. */
function listNames(field: string): string[] {
  const parts = field.split('.');
  return [...parts.map((_, index) => parts.slice(0, index + 1).join('.')), parts.at(-1) ?? ''];
}

test('the README of the voice runtime says what each documented field of an agent does', () => {
  const [, section = ''] = read('packages/voice/README.md').split('## What each field of an agent does');
  const named = new Set(
    [...(section.split('## Measure')[0] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
  );
  const fields = listFields(components.schemas.AgentDto ?? {});

  expect(fields.length).toBeGreaterThan(80);
  expect(fields.filter((field) => !listNames(field).some((name) => named.has(name)))).toEqual([]);
});
