import { type Command, InvalidArgumentError, Option } from 'commander';
import { type ApiField, BODY_FIELDS, QUERY_FIELDS } from '../generated/cli-options';
import type { Filter, Query, Schemas } from '../types';
import { UsageError } from './errors';

/** Other names of flags, by the name of the field; null: the command has no flag for it and its parts. */
export type Renames = Record<string, string | null>;

export const FILTER_NAMES = {
  agent_id: 'agent',
  campaign_id: 'campaign',
  start_date: 'from',
  end_date: 'to',
} satisfies Partial<Record<keyof Query<'listCalls'>, string>>;

export type BodyName = keyof typeof BODY_FIELDS;

/** The names of flags for the fields of a body. */
export type BodyRenames<Name extends BodyName> = Partial<Record<keyof Schemas[Name], string | null>>;

type Flags = Record<string, unknown>;

const toKebab = (name: string) =>
  name.replace(/_/g, '-').replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** A part has none if the whole has none. */
const hasFlag = ({ name }: ApiField, renames: Renames) =>
  renames[name] !== null && renames[name.split('.')[0] ?? ''] !== null;

/** The flag that the help shows first, then the other spellings that are understood. */
function listNames({ name }: ApiField, renames: Renames): string[] {
  const renamed = renames[name];
  return [...new Set([...(renamed ? [renamed] : []), toKebab(name), name])];
}

/** Adds a flag for each field of the API. */
export function addFields(command: Command, fields: readonly ApiField[], renames: Renames = {}): void {
  for (const field of fields.filter((field) => hasFlag(field, renames))) {
    listNames(field, renames).forEach((name, index) => {
      // A flag of the command itself has the name.
      if (command.options.some(({ long }) => long === `--${name}`)) return;
      command.addOption(createOption(field, name, index > 0));
    });
  }
}

function createOption(field: ApiField, name: string, isHidden: boolean): Option {
  const { type, many, description = '' } = field;
  const choices = type === 'boolean' ? ['true', 'false'] : field.choices;
  const values = choices ? ` (${choices.join(', ')})` : '';
  const option = new Option(
    `--${name} <${type === 'string' ? 'text' : type}>`,
    `${description}${values}`.trim(),
  );
  option.argParser((text: string, before: unknown) => {
    const value = parse(text, type, choices);
    return many ? [...((before as unknown[] | undefined) ?? []), value] : value;
  });
  return option.hideHelp(isHidden);
}

/** @throws InvalidArgumentError */
function parse(text: string, type: ApiField['type'], choices?: readonly string[]): unknown {
  if (choices && !choices.includes(text))
    throw new InvalidArgumentError(`It must be one of ${choices.join(', ')}.`);
  if (type === 'boolean') return text === 'true';
  if (type === 'json') return parseJson(text);
  if (type === 'string') return text;
  const number = Number(text);
  const isNumber =
    text.trim() !== '' && (type === 'integer' ? Number.isInteger(number) : Number.isFinite(number));
  if (isNumber) return number;
  throw new InvalidArgumentError(`It must be ${type === 'integer' ? 'a whole number' : 'a number'}.`);
}

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new InvalidArgumentError(`It must be JSON: ${(error as Error).message}`);
  }
}

/** Reads one of several flags such as --var NAME=VALUE. */
export function addVariable(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [name = '', ...value] = text.split('=');
  if (name === '' || value.length === 0) throw new InvalidArgumentError('It must be NAME=VALUE.');
  return { ...before, [name]: value.join('=') };
}

/** The given fields of a body. The flags follow the class, so each has its type, and each may be missing. */
export const readBody = <Name extends BodyName>(
  command: Command,
  name: Name,
  renames: Renames = {},
): Partial<Schemas[Name]> => readFields(command, BODY_FIELDS[name], renames) as Partial<Schemas[Name]>;

/** The given filters of an operation, like {@link readBody}. */
export const readQuery = <Name extends keyof typeof QUERY_FIELDS>(
  command: Command,
  name: Name,
  renames: Renames = {},
): Partial<Filter<Name>> => readFields(command, QUERY_FIELDS[name], renames) as Partial<Filter<Name>>;

/** @param flags the flag of each field that must be given @throws UsageError */
export function assertGiven<Fields extends object, Name extends keyof Fields>(
  fields: Fields,
  flags: Record<Name, string>,
): asserts fields is Fields & Required<Pick<Fields, Name>> {
  for (const name of Object.keys(flags) as Name[]) {
    if (fields[name] === undefined) throw new UsageError(`${flags[name]} is missing.`);
  }
}

/** The given fields as a body or query of the API; a field of a part is put into it. */
function readFields(command: Command, fields: readonly ApiField[], renames: Renames = {}): Flags {
  const given: Flags = {};
  for (const field of fields.filter((field) => hasFlag(field, renames))) {
    for (const flag of listNames(field, renames)) {
      const option = command.options.find(({ long }) => long === `--${flag}`);
      const value: unknown = option && command.getOptionValue(option.attributeName());
      if (value !== undefined) setField(given, field.name.split('.'), value);
    }
  }
  return given;
}

function setField(target: Flags, [name = '', ...rest]: string[], value: unknown): void {
  if (rest.length === 0) target[name] = value;
  else setField((target[name] ??= {}) as Flags, rest, value);
}
