import { texts } from '../texts';
import { toLabel } from '../ui/schema-form/labels';

const { labels, units } = texts.agentForm;

export type Settings = Record<string, unknown>;

export const isGroupOfSettings = (value: unknown): value is Settings =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The name of a setting of an agent in its form. @param path the names from the configuration to it, with dots */
export const settingName = (path: string): string =>
  labels[path] ?? toLabel(path.slice(path.lastIndexOf('.') + 1));

/** The name of a setting behind those of its groups. A group whose name the next one repeats is left out. */
export const fullSettingName = (path: string): string =>
  path
    .split('.')
    .map((_, index, names) => settingName(names.slice(0, index + 1).join('.')))
    .filter((name, index, names) => !names[index + 1]?.startsWith(name))
    .join(' › ');

/** The value of a setting as text, a number with its unit. */
export function settingText(path: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? texts.common.yes : texts.common.no;
  if (typeof value === 'number') return [value, units[path]].filter((part) => part !== undefined).join(' ');
  if (Array.isArray(value)) return value.map((item) => settingText(path, item)).join(', ');
  if (isGroupOfSettings(value))
    return Object.entries(value)
      .map(([name, inner]) => `${settingName(`${path}.${name}`)}: ${settingText(`${path}.${name}`, inner)}`)
      .join('; ');
  return typeof value === 'string' ? value : '';
}
