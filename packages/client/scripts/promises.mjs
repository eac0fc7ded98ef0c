import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { folder, readDocument } from './document.mjs';

// Programs rely on each name and type of the API document, also on those that this package only passes on. The file has them;
// a line that goes away breaks the build, until somebody removes it from the file.
const FILE = join(folder, 'promised.txt');

/** A type without its choices, which may become more. */
const typeOf = ({ $ref, type, format, items, anyOf, allOf, additionalProperties }) =>
  [
    $ref?.replace(/^.*\//, ''),
    [type].flat().filter(Boolean).join('|'),
    format,
    items && `[${typeOf(items)}]`,
    (anyOf ?? allOf)?.map(typeOf).join('|'),
    typeof additionalProperties === 'object' && `{${typeOf(additionalProperties)}}`,
  ]
    .filter(Boolean)
    .join(' ');

const describe = (name, schema, isRequired) => [
  `${name}${isRequired ? '' : '?'}: ${typeOf(schema)}`,
  ...(schema.enum ?? schema.items?.enum ?? []).map((choice) => `${name} = ${choice}`),
];

const schemaLines = ([name, { properties = {}, required = [] }]) =>
  Object.entries(properties).flatMap(([property, schema]) =>
    describe(`${name}.${property}`, schema, required.includes(property)),
  );

const contentLines = (name, content = {}) =>
  Object.entries(content).map(([type, { schema = {} }]) => `${name} ${type}: ${typeOf(schema)}`);

const operationLines = (route, { parameters = [], requestBody, responses }) => [
  ...parameters.flatMap((parameter) =>
    describe(`${route} ${parameter.in} ${parameter.name}`, parameter.schema, parameter.required),
  ),
  ...contentLines(`${route} body`, requestBody?.content),
  ...Object.entries(responses).flatMap(([status, { content }]) =>
    status.startsWith('2') ? [`${route} ${status}`, ...contentLines(`${route} ${status}`, content)] : [],
  ),
];

const { paths, components } = readDocument();
const lines = [
  ...Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) =>
      operationLines(`${method.toUpperCase()} ${path}`, operation),
    ),
  ),
  ...Object.entries(components.schemas).flatMap(schemaLines),
].sort();
const promised = readFileSync(FILE, 'utf8').split('\n').filter(Boolean);
const broken = promised.filter((line) => !lines.includes(line));
const added = lines.filter((line) => !promised.includes(line));
if (process.argv.includes('--add')) {
  writeFileSync(FILE, `${[...new Set([...promised, ...added])].sort().join('\n')}\n`);
} else if (broken.length > 0 || added.length > 0) {
  console.error(
    [
      ...broken.map((line) => `promised.txt: the API document has no "${line}"`),
      ...added.map((line) => `promised.txt: "${line}" is missing; npm run generate adds it`),
    ].join('\n'),
  );
  process.exitCode = 1;
}
