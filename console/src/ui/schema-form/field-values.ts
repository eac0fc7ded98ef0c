import type { JsonSchema } from '../../api/document';
import { texts } from '../../texts';
import type { Field } from './list-fields';

/** The changed values of a form by path, as the texts of their controls. */
export type Draft = Record<string, string>;

export type Parsed = { value: unknown } | { problem: string };

const { problems } = texts.schemaForm;

/** A bound this large limits nothing that a person enters. */
const FAR = 1e9;

export const isNear = (bound: number | undefined): bound is number =>
  bound !== undefined && Math.abs(bound) < FAR;

/** The text of a control for a value. */
export function toText({ kind }: Pick<Field, 'kind'>, value: unknown): string {
  if (kind === 'json' || kind === 'pair') return JSON.stringify(value ?? null);
  if (value === null || value === undefined) return '';
  if (Array.isArray(value) && kind === 'list') return value.join('\n');
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Parses the text of a control to its value, or to an error. The server checks more. */
export function parse(field: Field, text: string): Parsed {
  const { kind, schema, isNullable } = field;
  if (kind === 'check') return { value: text === 'true' };
  if (kind === 'json' || kind === 'pair') return parseJson(schema, text);
  if (kind === 'list') {
    return checked(
      schema,
      text
        .split('\n')
        .map((line) => line.trim())
        .filter(Boolean),
    );
  }
  if (text === '' && isNullable) return { value: null };
  return checked(schema, kind === 'number' ? (text === '' ? Number.NaN : Number(text)) : text);
}

function parseJson(schema: JsonSchema, text: string): Parsed {
  try {
    return checked(schema, JSON.parse(text) as unknown);
  } catch {
    return { problem: problems.json };
  }
}

function checked(schema: JsonSchema, value: unknown): Parsed {
  const problem = findProblem(schema, value);
  return problem === undefined ? { value } : { problem };
}

/** The reason why a value does not fit a schema; undefined: it fits. */
export function findProblem(schema: JsonSchema, value: unknown): string | undefined {
  if (typeof value === 'number') return problemOfNumber(schema, value);
  if (typeof value === 'string') return problemOfText(schema, value);
  if (!isOfType(schema, value)) return problems.type([schema.type ?? []].flat().join(', '));
  return Array.isArray(value) ? problemOfList(schema, value) : undefined;
}

function problemOfNumber(schema: JsonSchema, value: number): string | undefined {
  if (Number.isNaN(value)) return problems.number;
  if (!isOfType(schema, value)) return problems.integer;
  const { minimum = -FAR, maximum = FAR } = schema;
  if (value < minimum) return problems.minimum(minimum);
  return value > maximum ? problems.maximum(maximum) : undefined;
}

function problemOfText(schema: JsonSchema, value: string): string | undefined {
  if (!isOfType(schema, value)) return problems.type([schema.type ?? []].flat().join(', '));
  if (schema.maxLength !== undefined && value.length > schema.maxLength)
    return problems.length(schema.maxLength);
  if (schema.format === 'date-time' && Number.isNaN(Date.parse(value))) return problems.dateTime;
  if (schema.pattern !== undefined && !new RegExp(schema.pattern, 'u').test(value))
    return value.trim() === '' ? problems.empty : problems.pattern;
  return undefined;
}

function problemOfList(schema: JsonSchema, values: unknown[]): string | undefined {
  const { minItems = 0, maxItems = Number.POSITIVE_INFINITY, items } = schema;
  if (values.length < minItems) return problems.minItems(minItems);
  if (values.length > maxItems) return problems.maxItems(maxItems);
  for (const [index, value] of values.entries()) {
    const problem = items && findProblem(items, value);
    if (problem !== undefined) return problems.item(index + 1, problem);
  }
  return undefined;
}

function isOfType({ type }: JsonSchema, value: unknown): boolean {
  if (type === undefined) return true;
  const is: Record<string, boolean> = {
    null: value === null,
    boolean: typeof value === 'boolean',
    string: typeof value === 'string',
    number: typeof value === 'number',
    integer: Number.isInteger(value),
    array: Array.isArray(value),
    object: typeof value === 'object' && value !== null && !Array.isArray(value),
  };
  return [type].flat().some((name) => is[name]);
}

/** Writes a value at a path of a body, with the objects that lead there. */
export function put(body: Record<string, unknown>, path: string, value: unknown): void {
  const names = path.split('.');
  const last = names.pop() as string;
  let target = body;
  for (const name of names) target = (target[name] ??= {}) as Record<string, unknown>;
  target[last] = value;
}
