import type { FieldError } from '../../platform/http/errors';
import { Expressions } from '../../platform/validation/re2';
import { isInheritedName, isStorableText } from '../../platform/validation/storable';

/** A JSON Schema of the kinds that language models are told, or `{}`: a tool without parameters. */
export type ParametersSchema = Record<string, unknown>;

const MAX_DEPTH = 5;

const TYPES = ['string', 'number', 'integer', 'boolean', 'array', 'object'] as const;
type SchemaType = (typeof TYPES)[number];

type Check = (value: unknown) => string | undefined;

const mustBe =
  (demand: string, isValid: (value: unknown) => boolean): Check =>
  (value) =>
    isValid(value) ? undefined : `must be ${demand}`;

const isText = (value: unknown) => typeof value === 'string' && isStorableText(value);
const isNumber = (value: unknown) => typeof value === 'number' && Number.isFinite(value);

const TEXT = mustBe('a text', isText);
const COUNT = mustBe('a whole number from 0', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
const NUMBER = mustBe('a number', isNumber);
const ANY: Check = () => undefined;

/** The keywords that are understood, with the checks of their values. The others of a schema stay with these. */
const ANNOTATIONS = { title: TEXT, description: TEXT, format: TEXT, default: ANY, examples: ANY };
const KEYWORDS: Record<SchemaType, Record<string, Check>> = {
  string: { minLength: COUNT, maxLength: COUNT, pattern: TEXT },
  number: { minimum: NUMBER, maximum: NUMBER, exclusiveMinimum: NUMBER, exclusiveMaximum: NUMBER },
  integer: { minimum: NUMBER, maximum: NUMBER, exclusiveMinimum: NUMBER, exclusiveMaximum: NUMBER },
  boolean: {},
  array: { minItems: COUNT, maxItems: COUNT },
  object: { additionalProperties: mustBe('true or false', (value) => typeof value === 'boolean') },
};
const NESTED: Partial<Record<SchemaType, string[]>> = {
  array: ['items'],
  object: ['properties', 'required'],
};

const isOfType: Record<SchemaType, (value: unknown) => boolean> = {
  string: isText,
  number: isNumber,
  integer: Number.isSafeInteger,
  boolean: (value) => typeof value === 'boolean',
  array: Array.isArray,
  object: isObject,
};

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @returns each problem of a tool's parameters, by its path */
export function findSchemaProblems(schema: ParametersSchema, field: string): FieldError[] {
  if (Object.keys(schema).length === 0) return [];
  if (schema.type !== 'object') return [{ field: `${field}.type`, message: 'type must be object' }];
  const problems = findProblems(schema, field, 1);
  return problems.length > 0 ? problems : findPatternProblems(schema, field, new Expressions());
}

/** Compiles the expressions of a correct schema one after the other, up to the first problem. */
function findPatternProblems(
  schema: ParametersSchema,
  field: string,
  expressions: Expressions,
): FieldError[] {
  const {
    pattern,
    items,
    properties = {},
  } = schema as {
    pattern?: string;
    items?: ParametersSchema;
    properties?: Record<string, ParametersSchema>;
  };
  const problem = pattern === undefined ? undefined : expressions.findProblem(pattern);
  if (problem !== undefined) return [{ field: `${field}.pattern`, message: `pattern ${problem}` }];
  const nested = [
    ...(items ? [[`${field}.items`, items] as const] : []),
    ...Object.entries(properties).map(([name, each]) => [`${field}.properties.${name}`, each] as const),
  ];
  for (const [at, each] of nested) {
    const problems = findPatternProblems(each, at, expressions);
    if (problems.length > 0) return problems;
  }
  return [];
}

/** The names of a tool's parameters. */
export const parameterNames = ({ properties }: ParametersSchema): string[] => Object.keys(properties ?? {});

export const requiredParameters = ({ required }: ParametersSchema): string[] => (required ?? []) as string[];

function findProblems(schema: unknown, field: string, depth: number): FieldError[] {
  const name = field.slice(field.lastIndexOf('.') + 1);
  if (!isObject(schema)) return [{ field, message: `${name} must be a schema` }];
  if (depth > MAX_DEPTH) return [{ field, message: `${name} is nested more than ${MAX_DEPTH} levels deep` }];
  const type = TYPES.find((each) => each === schema.type);
  if (!type) return [{ field: `${field}.type`, message: `type must be one of ${TYPES.join(', ')}` }];
  const known: Record<string, Check> = {
    ...ANNOTATIONS,
    ...KEYWORDS[type],
    type: ANY,
    enum: choicesOf(type),
  };
  const nested = NESTED[type] ?? [];
  const problems = Object.entries(schema).flatMap(([keyword, value]) => {
    if (nested.includes(keyword)) return [];
    const check = Object.hasOwn(known, keyword) ? known[keyword] : undefined;
    const problem = check ? check(value) : `is not known for the type ${type}`;
    return problem === undefined ? [] : [{ field: `${field}.${keyword}`, message: `${keyword} ${problem}` }];
  });
  if (type === 'array') problems.push(...findProblems(schema.items, `${field}.items`, depth + 1));
  if (type === 'object') problems.push(...findPropertyProblems(schema, field, depth));
  return problems;
}

const choicesOf = (type: SchemaType) =>
  mustBe(
    `a list of 1 to 100 values of the type ${type}`,
    (value) =>
      Array.isArray(value) && value.length >= 1 && value.length <= 100 && value.every(isOfType[type]),
  );

function findPropertyProblems(
  { properties = {}, required = [] }: Record<string, unknown>,
  field: string,
  depth: number,
): FieldError[] {
  const at = `${field}.properties`;
  if (!isObject(properties)) return [{ field: at, message: 'properties must be an object of schemas' }];
  const problems = Object.entries(properties).flatMap(([name, schema]) =>
    isInheritedName(name) || !isStorableText(name)
      ? [{ field: `${at}.${name}`, message: `${JSON.stringify(name)} cannot be the name of a parameter` }]
      : findProblems(schema, `${at}.${name}`, depth + 1),
  );
  const isKnown = (name: unknown) => typeof name === 'string' && Object.hasOwn(properties, name);
  if (!Array.isArray(required) || !required.every(isKnown) || new Set(required).size < required.length)
    problems.push({ field: `${field}.required`, message: 'required must name properties, each once' });
  return problems;
}
