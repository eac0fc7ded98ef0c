import type { Schemas } from '../../api/client';

type Entry = Schemas['AuditEntryDto'];

/** The name of an action as words: "agent version restored". */
export const actionText = (action: Entry['action']) => action.replace(/[._]/g, ' ').replace(/^api/, 'API');

/** The name of the changed object, or its kind if it has no name. */
export const targetName = ({ kind, name, id }: Entry['target']) =>
  name ?? (id ? `${kind.replaceAll('_', ' ')} …${id.slice(-4)}` : kind.replaceAll('_', ' '));

const valueText = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
};

/** "changed: greeting, prompt; version: 4" */
export const detailsText = (details: Entry['details']) =>
  Object.entries(details)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${name.replaceAll('_', ' ')}: ${valueText(value)}`)
    .join('; ');
