import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Random } from '../../../../src/tools/demo-data/random';
import type { PlatformName } from '../../src/cli/import/platform';
import type { Report } from '../../src/cli/import/source';

export const sourcePath = (platform: PlatformName): string =>
  join(__dirname, '..', 'import', `${platform}.json`);

/** An agent of a platform, in the shape in which its API answers it. */
export const readSource = (platform: PlatformName): unknown =>
  JSON.parse(readFileSync(sourcePath(platform), 'utf8'));

const NAMES = ['a', 'b.c', '', '0', '__proto__', 'constructor', 'a"]', 'type', 'ä', 'name'];
const TEXTS = [
  '',
  'text',
  '\u0000',
  '\ud800',
  'a\n\tb',
  '{{x}}',
  '${env:HOME}',
  'x'.repeat(300),
  '+15551234567',
];
const SCALARS = [null, true, false, 0, -1, 1, 2.5, 1e12, ...TEXTS];

/** Any value of JSON. */
export function randomValue(random: Random, depth = 3): unknown {
  const count = random.between([0, 4]);
  const kind = depth === 0 ? 'scalar' : random.pick(['scalar', 'list', 'object']);
  if (kind === 'scalar') return random.pick(SCALARS);
  if (kind === 'list') return Array.from({ length: count }, () => randomValue(random, depth - 1));
  const entries = Array.from({ length: count }, () => [random.pick(NAMES), randomValue(random, depth - 1)]);
  // As JSON.parse has them: a name such as __proto__ is one of the object itself.
  return Object.fromEntries(entries) as unknown;
}

/** The same value with a share of its parts exchanged, left out or added. */
export function mutate(value: unknown, random: Random, share: number): unknown {
  if (random.chance(share)) return randomValue(random);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => mutate(item, random, share));
  const entries = Object.entries(value).filter(() => !random.chance(share));
  const added = random.chance(share) ? [[random.pick(NAMES), randomValue(random)]] : [];
  const changed = [...entries, ...added].map(([name, part]) => [name, mutate(part, random, share)]);
  return Object.fromEntries(changed) as unknown;
}

/** The paths of the values that contain nothing. */
function listLeaves(value: unknown, path = ''): string[] {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  if (entries.length === 0) return [path];
  return entries.flatMap(([name, part]) => {
    const isPlain = /^[\w-]+$/.test(name);
    const step = isPlain ? `${path === '' ? '' : '.'}${name}` : `[${JSON.stringify(name)}]`;
    return listLeaves(part, path + step);
  });
}

/** The leaves of a source that are not under exactly one path of its report, and the paths without a leaf. */
export function findUncovered(source: unknown, { understood, not_understood }: Report): string[] {
  const paths = [...understood, ...not_understood].map(({ path }) => path);
  const counts = new Map(paths.map((path) => [path, 0]));
  const leaves = listLeaves(source);
  const isUnder = (leaf: string, path: string) =>
    leaf === path || (leaf.startsWith(path) && (path === '' || ['.', '['].includes(leaf[path.length] ?? '')));
  const wrong = leaves.filter((leaf) => {
    const over = paths.filter((path) => isUnder(leaf, path));
    for (const path of over) counts.set(path, (counts.get(path) ?? 0) + 1);
    return over.length !== 1;
  });
  return [...wrong, ...paths.filter((path) => counts.get(path) === 0)];
}
