import type { Schemas } from '../../api/client';
import { texts } from '../../texts';

type Entry = Schemas['AuditEntryDto'];

const toTerm = (name: string) => name.replace(/[._]/g, ' ').replace(/^api/, 'API');

/** The name of an action as words: "agent version restored". */
export const actionText = (action: Entry['action']) => toTerm(action);

/** The name of the changed object, or its kind if it has no name. The end of its id stays on the line of the kind. */
export const targetName = ({ kind, name, id }: Entry['target']) =>
  name ?? (id ? `${toTerm(kind)}\u00a0…\u2060${id.slice(-4)}` : toTerm(kind));

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

const valueText = (value: unknown): string => {
  if (value === null || value === undefined) return texts.common.none;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  if (typeof value !== 'string') return JSON.stringify(value);
  return UUID.test(value) ? `…${value.slice(-4)}` : value;
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** "concurrency: 10 → 20" for each value that the entry has before and after the change. */
const changesText = ({ before, after, ...details }: Record<string, unknown>) => {
  const old = isObject(before) ? before : {};
  // An entry without a part for the new values has them among its details.
  const next = isObject(after) ? after : details;
  return Object.entries(old)
    .filter(([name, value]) => valueText(value) !== valueText(next[name]))
    .map(([name, value]) => `${toWords(name)}: ${valueText(value)} → ${valueText(next[name])}`);
};

const toWords = (name: string) => name.replaceAll('_', ' ');

/** The details with ids of agents and calls, which have pages. */
const PAGES = { agent: 'agents', agent_id: 'agents', agents: 'agents', call_id: 'calls' } as const;

const isPage = (name: string): name is keyof typeof PAGES => name in PAGES;

/** The pages of the agents and calls that the details name by their ids. */
export const detailLinks = (details: Entry['details']) =>
  Object.entries(details as Record<string, unknown>).flatMap(([name, value]) =>
    isPage(name)
      ? [value].flat().flatMap((id) => (typeof id === 'string' ? [toLink(PAGES[name], id)] : []))
      : [],
  );

const toLink = (page: 'agents' | 'calls', id: string) => ({
  href: `/${page}/${id}`,
  text: targetName({ kind: page === 'agents' ? 'agent' : 'call', id, name: null }),
});

/** "changed: greeting, prompt; version: 4; concurrency: 10 → 20", without {@link detailLinks} */
export const detailsText = (details: Entry['details']) => {
  const { before, after, ...named } = details as Record<string, unknown>;
  const others = Object.fromEntries(Object.entries(named).filter(([name]) => !isPage(name)));
  const hidden = isObject(before) && !isObject(after) ? Object.keys(before) : [];
  const plain = Object.entries(others)
    .filter(([name, value]) => value !== null && !hidden.includes(name))
    .map(([name, value]) => `${toWords(name)}: ${valueText(value)}`);
  return [...plain, ...changesText({ before, after, ...others })].join('; ');
};

/** The page that compares the version which a change of an agent made with the one before. */
export function comparisonHref({ action, target, details }: Pick<Entry, 'action' | 'target' | 'details'>) {
  const { version, previous_version, restored_from } = details as Record<string, unknown>;
  const left = previous_version ?? restored_from;
  if (!action.startsWith('agent.') || target.id === null || left === version) return undefined;
  if (typeof left !== 'number' || typeof version !== 'number') return undefined;
  return `/agents/${target.id}/versions?left=${left}&right=${version}`;
}
