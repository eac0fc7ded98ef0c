/** Names that Windows keeps for devices, also before an extension. */
const DEVICES = /^(?:con|prn|aux|nul|com\d|lpt\d)$/;

const MAX_LENGTH = 60;

/** The words of a name in small letters of ASCII: `bookTable` has the words book and table. */
export const toWords = (name: string): string[] =>
  name
    .slice(0, 1_000)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word !== '');

const shorten = (words: string[], separator: string): string =>
  words
    .join(separator)
    .slice(0, MAX_LENGTH)
    .replace(/[-_]+$/, '');

/** The name of the file of an agent. */
export function toSlug(name: string): string {
  const slug = shorten(toWords(name.toLowerCase()), '-') || 'agent';
  return DEVICES.test(slug) ? `agent-${slug}` : slug;
}

/** A name as tools and the questions about a call have it: `[a-z][a-z0-9_]{0,59}`. */
export function toIdentifier(name: string, otherwise: string): string {
  const words = toWords(name);
  if (words.length === 0) return otherwise;
  const isFit = /^[a-z]/.test(words[0] ?? '') && !DEVICES.test(words.join('_'));
  return shorten(isFit ? words : [otherwise, ...words], '_');
}

/** The name, or the name with the first number from 2 on that is not taken. It is taken then. */
export function takeName(name: string, taken: Set<string>, separator: string): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) {
    const ending = `${separator}${number}`;
    free = `${name.slice(0, MAX_LENGTH - ending.length)}${ending}`;
  }
  taken.add(free);
  return free;
}
