import {
  fullSettingName,
  isGroupOfSettings,
  type Settings,
  settingText,
} from '../../../../domain/setting-text';
import { texts } from '../../../../texts';
import { type Row, toRows } from './rows';

/** A setting that differs, with the lines of its two values. */
export interface Change {
  path: string;
  name: string;
  rows: Row[];
}

const ORDER = Object.keys(texts.agentForm.labels);

/** The place of a setting in the form of agents. Settings that it does not have come last. */
const placeOf = (path: string) => (ORDER.includes(path) ? ORDER.indexOf(path) : ORDER.length);

/** A list of texts has a line for each. */
function toLines(path: string, value: unknown): string[] {
  const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
  const text = isList ? value.join('\n') : settingText(path, value);
  return text === '' ? [] : text.split('\n');
}

/** The names of knowledge bases by their ids. */
export type BaseNames = ReadonlyMap<string, string>;

/** The configuration with the names of its knowledge bases, as far as they are known, in place of their ids. */
const withNames = (values: Settings, names: BaseNames): Settings =>
  Array.isArray(values.knowledgeBases)
    ? { ...values, knowledgeBases: values.knowledgeBases.map((id: string) => names.get(id) ?? id) }
    : values;

/** The lines of each setting, by its path. */
const linesOf = (values: Settings, parent = ''): [path: string, lines: string[]][] =>
  Object.entries(values).flatMap(([name, value]) =>
    isGroupOfSettings(value)
      ? linesOf(value, `${parent}${name}.`)
      : [[parent + name, toLines(parent + name, value)]],
  );

/** The settings that differ between two configurations, in the order of the form. */
export function listChanges(left: Settings, right: Settings, names: BaseNames): Change[] {
  const before = new Map(linesOf(withNames(left, names)));
  const after = new Map(linesOf(withNames(right, names)));
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((path) => ({
      path,
      name: fullSettingName(path),
      rows: toRows(before.get(path) ?? [], after.get(path) ?? []),
    }))
    .filter(({ rows }) => rows.some(({ kind }) => kind === 'changed'))
    .toSorted((one, other) => placeOf(one.path) - placeOf(other.path));
}
