import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { parse } from 'yaml';
import { root } from '../launch/process/root.mjs';

// Writes the lists and types of docs/asyncapi.yaml for those who use them. With --check, it only compares the files.
const { messages, schemas } = parse(readFileSync(join(root, 'docs/asyncapi.yaml'), 'utf8')).components;

const nameOf = ($ref) => $ref.split('/').pop();
const titles = new Map(
  Object.values(messages).map(({ payload, title }) => [nameOf(payload.$ref), `${title}.`]),
);
// The other schemas are those of AMQP properties, which clients of the broker have types for.
const bodies = Object.entries(schemas).filter(([name]) => !name.endsWith('Properties'));
const lists = bodies.filter(([, schema]) => schema.enum);

/** The name of the list of a type: `EVENT_TYPES` for `EventType`. */
const toListName = (type) =>
  `${type
    .replace(/(?<=[a-z])(?=[A-Z])/g, '_')
    .toUpperCase()
    .replace(/Y$/, 'IE')}S`;

function toComment(text = '') {
  const lines = text.trim().replaceAll('\n', '\n * ');
  return lines && (lines.includes('\n') ? `/**\n * ${lines}\n */\n` : `/** ${lines} */\n`);
}

const toText = (value) => JSON.stringify(value, null, 2);

/** The conditions of `anyOf` are about fields that have types beside it. */
function toType(schema) {
  const { $ref, allOf, enum: values, type, items, minItems, maxItems, properties, required = [] } = schema;
  if ($ref) return nameOf($ref);
  if (allOf) return toType(allOf[0]);
  if (values) return values.map(toText).join(' | ');
  if (Array.isArray(type)) return type.map((each) => toType({ ...schema, type: each })).join(' | ');
  if (type === 'array' && minItems === maxItems && minItems)
    return `[${Array(minItems).fill(toType(items)).join(', ')}]`;
  if (type === 'array') return `(${toType(items)})[]`;
  if (type === 'object' && properties) {
    const fields = Object.entries(properties).map(
      ([name, field]) =>
        `${toComment(field.description)}${name}${required.includes(name) ? '' : '?'}: ${toType(field)};`,
    );
    return `{\n${fields.join('\n')}\n}`;
  }
  if (type === 'object') return `Record<string, ${toType(schema.additionalProperties ?? {})}>`;
  return type === 'integer' ? 'number' : (type ?? 'unknown');
}

const listsText = [
  `export const MESSAGE_TYPES = ${toText(Object.fromEntries(Object.entries(messages).map(([key, { name }]) => [key, name])))} as const;`,
  ...lists.map(([type, { enum: values, description }]) => {
    const list = toListName(type);
    return `export const ${list} = ${toText(values)} as const;\n\n${toComment(description)}export type ${type} = (typeof ${list})[number];`;
  }),
];

const typesText = bodies
  .filter((body) => !lists.includes(body))
  .map(([name, schema]) => {
    const comment = toComment(schema.description ?? titles.get(name));
    const beginning = schema.properties ? `interface ${name}` : `type ${name} =`;
    return `${comment}export ${beginning} ${toType(schema)}`;
  });

const toExample = (type) =>
  `/** The example of a call start. */\nexport const EXAMPLE_CALL_START${type} = ${toText(messages.callStart.examples[0].payload)};`;

const HEADER = 'Written from docs/asyncapi.yaml by npm run generate; do not edit.';
const toModule = (parts) =>
  [`// The messages of the contract. Times are ISO 8601 in UTC.\n// ${HEADER}`, ...parts].join('\n\n');

const files = {
  'src/platform/messaging/wire.ts': toModule([...listsText, ...typesText]),
  'packages/worker/src/wire.ts': toModule([...listsText, ...typesText, toExample(': CallStart')]),
  'packages/conformance/src/wire.ts': toModule([...listsText, toExample('')]),
  'packages/worker-python/parley_worker/wire.py': [
    `"""The closed lists of the contract. ${HEADER}"""\n`,
    ...lists.map(
      ([type, { enum: values }]) => `${toListName(type)} = {\n    "${values.join('",\n    "')}",\n}\n`,
    ),
  ].join('\n'),
};

for (const [path, text] of Object.entries(files)) {
  const file = join(root, path);
  const options = { ...(await resolveConfig(file)), filepath: file };
  const written = path.endsWith('.ts') ? await format(text, options) : text;
  if (!process.argv.includes('--check')) writeFileSync(file, written);
  else if (readFileSync(file, 'utf8') !== written) {
    console.error(`${path} is outdated; npm run generate writes it`);
    process.exitCode = 1;
  }
}
