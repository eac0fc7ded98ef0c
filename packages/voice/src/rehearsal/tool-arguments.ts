import { RE2JS } from 're2js';
import { findPathProblems } from './tool-path';

/** The conditions that the arguments of an asking have to meet. */
export interface ArgumentRules {
  /** A JSON Schema of the type object; `{}`: no parameters; undefined: they are compared with none. */
  parameters?: Schema;
  /** The names of values that the server adds, which are no parameters. */
  fixed: readonly string[];
  /** The segments of the path of its address that they must not make empty, `.` or `..` */
  path: readonly string[];
}

export interface ArgumentProblem {
  /** The argument with its location: `body.arguments.people`. */
  field: string;
  /** A sentence for the model. */
  message: string;
}

type Schema = Record<string, unknown>;

type Compile = (pattern: string) => RE2JS;

/** The steps of all expressions of an asking, each on a character: 25 ms at worst. */
const MAX_WORK = 500_000;

/** The state that the expressions of an asking share. */
interface Searches {
  /** The work that is left. */
  work: number;
  compile: Compile;
}

/**
 * Compares the arguments of an asking, in a call and in a rehearsal.
 * @param compile may keep the expressions that it has compiled
 * @returns each problem, by its path
 */
export function findArgumentProblems(
  { parameters, fixed, path }: ArgumentRules,
  given: Record<string, unknown>,
  compile: Compile = (pattern) => RE2JS.compile(pattern),
): ArgumentProblem[] {
  const at = 'body.arguments';
  const searches = { work: MAX_WORK, compile };
  return [
    ...Object.keys(given)
      .filter((name) => fixed.includes(name))
      .map((name) => ({ field: `${at}.${name}`, message: `${name} is no parameter` })),
    ...(parameters ? findProblems({ type: 'object', ...parameters }, given, at, searches) : []),
    ...findPathProblems(path, given).map(({ name, message }) => ({ field: `${at}.${name}`, message })),
  ];
}

function findProblems(schema: Schema, value: unknown, field: string, searches: Searches): ArgumentProblem[] {
  const demand = findDemand(schema, value, searches);
  if (demand !== undefined)
    return [{ field, message: `${field.slice(field.lastIndexOf('.') + 1)} ${demand}` }];
  if (Array.isArray(value))
    return value.flatMap((item, index) =>
      findProblems(schema.items as Schema, item, `${field}.${index}`, searches),
    );
  return schema.type === 'object' ? findMemberProblems(schema, value as Schema, field, searches) : [];
}

function findMemberProblems(
  schema: Schema,
  value: Schema,
  field: string,
  searches: Searches,
): ArgumentProblem[] {
  const {
    properties = {},
    required = [],
    additionalProperties,
  } = schema as {
    properties?: Record<string, Schema>;
    required?: string[];
    additionalProperties?: boolean;
  };
  const missing = required.filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => ({ field: `${field}.${name}`, message: `${name} is missing` })),
    ...Object.entries(value).flatMap(([name, member]) => {
      const property = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (property) return findProblems(property, member, `${field}.${name}`, searches);
      return additionalProperties === true
        ? []
        : [{ field: `${field}.${name}`, message: `${name} is no parameter` }];
    }),
  ];
}

/** @returns what the value itself must be and is not, without its members */
function findDemand(schema: Schema, value: unknown, searches: Searches): string | undefined {
  const choices = schema.enum as unknown[] | undefined;
  const isKnown = choices?.some((choice) => JSON.stringify(choice) === JSON.stringify(value)) ?? true;
  switch (schema.type) {
    case 'string':
      if (typeof value !== 'string') return 'must be a text';
      break;
    case 'boolean':
      if (typeof value !== 'boolean') return 'must be true or false';
      break;
    case 'integer':
      if (!Number.isSafeInteger(value)) return 'must be a whole number';
      break;
    case 'number':
      if (typeof value !== 'number') return 'must be a number';
      break;
    case 'array':
      if (!Array.isArray(value)) return 'must be a list';
      break;
    default:
      if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object';
  }
  if (!isKnown) return `must be one of ${JSON.stringify(choices)}`;
  if (typeof value === 'string') return findTextDemand(schema, value, searches);
  if (typeof value === 'number') return findNumberDemand(schema, value);
  return Array.isArray(value) ? findListDemand(schema, value) : undefined;
}

function findTextDemand(schema: Schema, value: string, searches: Searches): string | undefined {
  const { minLength, maxLength, pattern } = schema as {
    minLength?: number;
    maxLength?: number;
    pattern?: string;
  };
  const length = [...value].length;
  if (minLength !== undefined && length < minLength) return `must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `must have at most ${maxLength} characters`;
  if (pattern === undefined) return undefined;
  const expression = searches.compile(pattern);
  searches.work -= expression.programSize() * value.length;
  if (searches.work < 0) return `is too long to be compared with ${pattern}`;
  return expression.matcher(value).find() ? undefined : `must match ${pattern}`;
}

function findNumberDemand(schema: Schema, value: number): string | undefined {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum } = schema as Record<
    string,
    number | undefined
  >;
  if (minimum !== undefined && value < minimum) return `must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum)
    return `must be more than ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum)
    return `must be less than ${exclusiveMaximum}`;
  return undefined;
}

function findListDemand(schema: Schema, { length }: unknown[]): string | undefined {
  const { minItems, maxItems } = schema as { minItems?: number; maxItems?: number };
  if (minItems !== undefined && length < minItems) return `must have at least ${minItems} items`;
  if (maxItems !== undefined && length > maxItems) return `must have at most ${maxItems} items`;
  return undefined;
}
