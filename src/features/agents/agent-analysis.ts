import { parseDateTime } from '../../platform/validation/date-time';
import { isPointer } from '../tools/json-pointer';
import { MAX_VARIABLE_NAME_LENGTH } from './agent-texts';

export const FIELD_TYPES = ['string', 'number', 'integer', 'boolean', 'date'] as const;
export type FieldType = (typeof FIELD_TYPES)[number];

/** A date is a text such as 2026-01-31. */
export type FieldValue = string | number | boolean;

/** A value that each call of an agent is to yield. */
export interface AnalysisField {
  name: string;
  type: FieldType;
  /** The values that it can have. undefined: all of its type */
  enum?: (string | number)[];
  description: string;
  /** The text of a {@link FieldSource}. */
  from: string;
}

/** A question about a call that is answered with yes, no or unclear. */
export interface Criterion {
  name: string;
  text: string;
}

/** The questions about each call of an agent, as its versions keep them. */
export interface AgentAnalysis {
  fields: AnalysisField[];
  criteria: Criterion[];
}

export const NO_ANALYSIS: AgentAnalysis = { fields: [], criteria: [] };

/** The place from which the server takes the value of a field. */
export type FieldSource =
  | { kind: 'model' }
  | { kind: 'variable'; name: string }
  | { kind: 'tool'; name: string; pointer: string }
  | { kind: 'regex'; pattern: string };

export const FROM_MODEL = 'model';

/** The text after the name of each kind of source. */
const SOURCES: Record<string, (rest: string) => FieldSource | undefined> = {
  variable: (name) =>
    name !== '' && name.length <= MAX_VARIABLE_NAME_LENGTH ? { kind: 'variable', name } : undefined,
  tool: (rest) => {
    const [, name, pointer = ''] = /^([\w-]{1,60})#(.*)$/s.exec(rest) ?? [];
    return name !== undefined && isPointer(pointer) ? { kind: 'tool', name, pointer } : undefined;
  },
  regex: (pattern) => (pattern === '' ? undefined : { kind: 'regex', pattern }),
};

/** @returns undefined for a text that is no source; the pattern of an expression is not compiled */
export function readSource(from: string): FieldSource | undefined {
  if (from === FROM_MODEL) return { kind: 'model' };
  const [, kind = '', rest = ''] = /^(variable|tool|regex):(.*)$/s.exec(from) ?? [];
  return SOURCES[kind]?.(rest);
}

export const isDate = (value: unknown): boolean =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && parseDateTime(value) !== undefined;

/** Whether a value is one of the type. */
export const isOfType: Record<FieldType, (value: unknown) => value is FieldValue> = {
  string: (value): value is string => typeof value === 'string',
  number: (value): value is number => Number.isFinite(value),
  integer: (value): value is number => Number.isSafeInteger(value),
  boolean: (value): value is boolean => typeof value === 'boolean',
  date: (value): value is string => isDate(value),
};
