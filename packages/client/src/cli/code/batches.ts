import type { Schemas } from '../../types';
import { type Kind, toKey } from './resource';

export type Change = Schemas['CodeChangeDto'];

/** The bounds of a request of the server, less what is around the changes. */
const MAX = { resources: 100, bytes: 1_000_000, marks: 24_000 };

/** The server counts the values of a body by these, outside of texts. More are never sent by this. */
const MARKS = /[,:[{]/g;

/** Deletions make room. Tools come before the agents that name them, and agents before their rehearsals. */
const DELETED: Kind[] = ['rehearsal', 'agent'];
const MADE: Kind[] = ['tool', 'agent', 'rehearsal'];

function rank({ kind, definition }: Change): number {
  if (definition) return DELETED.length + MADE.indexOf(kind);
  const at = DELETED.indexOf(kind);
  // Agents that are changed before no longer name a tool.
  return at >= 0 ? at : DELETED.length + MADE.length;
}

interface Size {
  bytes: number;
  marks: number;
}

/**
 * Divides changes into requests. Each has what its changes refer to, so that a dry run of each alone finds it; then some
 * changes are in several.
 */
export function toBatches(changes: Change[]): Change[][] {
  const byKey = new Map(changes.map((change) => [toKey(change), change]));
  const sizes = new Map(changes.map((change) => [change, sizeOf(change)]));
  const fits = (batch: Set<Change>): boolean => {
    const sum = (name: keyof Size) =>
      [...batch].reduce((all, each) => all + (sizes.get(each)?.[name] ?? 0), 0);
    return batch.size <= MAX.resources && sum('bytes') <= MAX.bytes && sum('marks') <= MAX.marks;
  };
  const batches: Set<Change>[] = [new Set()];
  const placed = new Set<Change>();
  for (const change of [...changes].sort((one, other) => rank(one) - rank(other))) {
    if (placed.has(change)) continue;
    const last = batches.at(-1) as Set<Change>;
    const group = [...listNeeds(change, byKey), change];
    // A gated agent is published by the rehearsals that are there when its request is done.
    const whole = change.kind === 'agent' ? [...group, ...listRehearsals(change, changes)] : group;
    const candidates = [[...last, ...whole], whole, [...last, ...group], group, [change]];
    const at = candidates.findIndex((each) => fits(new Set(each)));
    const batch = new Set(candidates[at] ?? [change]);
    if (at === 0 || at === 2) batches.pop();
    batches.push(batch);
    for (const each of batch) placed.add(each);
  }
  return batches.filter(({ size }) => size > 0).map((batch) => [...batch]);
}

function sizeOf(change: Change): Size {
  const json = JSON.stringify(change);
  return { bytes: Buffer.byteLength(json) + 1, marks: json.match(MARKS)?.length ?? 0 };
}

const listRehearsals = ({ slug }: Change, changes: Change[]): Change[] =>
  changes.filter(
    ({ kind, slug: name, definition }) => kind === 'rehearsal' && definition && name.startsWith(`${slug}/`),
  );

/** The changes that must be done before a change can be. */
function listNeeds({ kind, slug, definition }: Change, byKey: ReadonlyMap<string, Change>): Change[] {
  if (!definition || kind === 'tool') return [];
  if (kind === 'rehearsal') {
    const agent = byKey.get(`agent/${slug.split('/')[0]}`);
    return agent?.definition ? [...listNeeds(agent, byKey), agent] : [];
  }
  const { actions } = definition;
  if (!Array.isArray(actions)) return [];
  return actions.flatMap((name) => {
    const tool = byKey.get(`tool/${String(name)}`);
    return tool?.definition ? [tool] : [];
  });
}
