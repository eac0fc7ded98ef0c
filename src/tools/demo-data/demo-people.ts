import type { Random } from './random';

export interface Person {
  name: string;
  number: string;
}

const FIRST =
  'Ada Ben Clara David Emma Felix Grace Hugo Ida Jonas Karla Leo Mia Noah Olga Paul Rosa Simon Tara Viktor'.split(
    ' ',
  );
const LAST =
  'Adler Brandt Costa Dahl Ebner Fischer Graf Hoffmann Ivers Jansen Keller Lang Moser Nowak Otto Peters Roth Sommer Thaler Weber'.split(
    ' ',
  );

/** Area codes of North America. In each of them, the numbers 555-0100 to 555-0199 are fictional. */
const AREAS = [
  ...[201, 202, 203, 205, 206, 207, 208, 209, 210, 212, 213, 214, 215, 216, 217, 218, 219, 224, 225, 228],
  ...[301, 302, 303, 304, 305, 307, 308, 309, 310, 312, 313, 314, 315, 316, 317, 318, 319, 320, 321, 323],
];

const FICTIONAL = 100;

/** The number of people who have different numbers. */
export const PEOPLE = AREAS.length * FICTIONAL;

/** Returns a person of a workspace. The same index is always the same person. */
export function getPerson(index: number): Person {
  const place = index % PEOPLE;
  const area = AREAS[place % AREAS.length] as number;
  const last = String(Math.floor(place / AREAS.length)).padStart(2, '0');
  const name = `${FIRST[(place * 7 + Math.floor(place / AREAS.length) * 3) % FIRST.length]} ${LAST[(place * 13 + Math.floor(place / 20)) % LAST.length]}`;
  return { name, number: `+1${area}55501${last}` };
}

export const anyPerson = (random: Random): Person => getPerson(random.between([0, PEOPLE - 1]));
