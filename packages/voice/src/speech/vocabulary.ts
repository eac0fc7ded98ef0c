/** Shorter names look like too many other words. */
const MIN_LETTERS = 4;
/** Longer names are not looked for: the recognition gets them, too, and their letters must fit into 32 bits. */
const MAX_LETTERS = 32;
const MAX_WORDS = 6;
/** The share of the letters of a name that may differ, by its sound. */
const TOLERANCE = 0.25;

interface Term {
  written: string;
  words: number;
  sound: string;
  tolerated: number;
  /** For each letter or digit, the places where the sound has it, as bits. */
  places: Int32Array;
}

/** Words that follow each other in a text. */
interface Heard {
  text: string;
  sound: string;
  codes: Uint8Array;
}

/**
 * Writes the names that an agent expects where recognition wrote something that sounds nearly like them: it knows
 * English words, and no names of products or towns. A name has up to 6 words, and 4 to 32 letters as they sound.
 */
export class Vocabulary {
  private readonly terms: Term[] = [];
  private readonly known = new Set<string>();
  private readonly lengths: number[];

  constructor(terms: readonly string[]) {
    for (const written of terms) {
      const sound = toSound(written);
      if (sound.length < MIN_LETTERS) continue;
      this.known.add(sound);
      const words = splitWords(written).length;
      if (sound.length > MAX_LETTERS || words > MAX_WORDS) continue;
      const tolerated = Math.floor(sound.length * TOLERANCE);
      this.terms.push({ written, words, sound, tolerated, places: toPlaces(sound) });
    }
    const lengths = this.terms.flatMap(({ words }) => listLengths(words));
    this.lengths = [...new Set(lengths)].filter((length) => length > 0);
  }

  /** The time grows with the length of the text, and with the number of the terms. */
  correct(text: string): string {
    if (this.terms.length === 0) return text;
    const words = text.split(/(?<=\s)(?=\S)/);
    const written: string[] = [];
    for (let at = 0; at < words.length;) {
      const found = this.findBest(words, at);
      written.push(found?.text ?? words[at] ?? '');
      at += found?.length ?? 1;
    }
    return written.join('');
  }

  /** The name that the words from here on sound like. It may have been heard as one word more or less. */
  private findBest(words: string[], at: number): { text: string; length: number } | undefined {
    const heard = this.listHeard(words, at);
    let best: { term: Term; length: number; distance: number } | undefined;
    for (const term of this.terms) {
      for (const length of listLengths(term.words)) {
        const { sound, codes } = heard[length] ?? {};
        if (sound === undefined || codes === undefined) continue;
        const limit = Math.min(term.tolerated, (best?.distance ?? Infinity) - 1);
        if (Math.abs(sound.length - term.sound.length) > limit) continue;
        if (sound !== term.sound && this.known.has(sound)) continue;
        const distance = measureDistance(codes, term);
        if (distance <= limit) best = { term, length, distance };
      }
    }
    if (!best) return undefined;
    const { text = '' } = heard[best.length] ?? {};
    const after = /(?<![^\p{L}\p{N}])[^\p{L}\p{N}]*$/u.exec(text)?.[0] ?? '';
    return { text: `${best.term.written}${after}`, length: best.length };
  }

  /** The words from here on, by their number, if a name can have as many letters. */
  private listHeard(words: string[], at: number): Heard[] {
    const heard: Heard[] = [];
    for (const length of this.lengths) {
      if (at + length > words.length) continue;
      const text = words.slice(at, at + length).join('');
      const sound = toSound(text);
      if (sound.length <= MAX_LETTERS * (1 + TOLERANCE))
        heard[length] = { text, sound, codes: toCodes(sound) };
    }
    return heard;
  }
}

const listLengths = (words: number) => [words, words + 1, words - 1];

const splitWords = (text: string) => text.match(/[\p{L}\p{N}']+/gu) ?? [];

/** The letters of a text as they sound in English, roughly. */
export function toSound(text: string): string {
  return text
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
    .replaceAll(/ph/g, 'f')
    .replaceAll(/ck|q|c(?![eiy])/g, 'k')
    .replaceAll(/c|z/g, 's')
    .replaceAll(/y/g, 'i')
    .replaceAll(/w/g, 'v')
    .replaceAll(/(.)\1+/g, '$1');
}

/** The letters and digits of a sound, as numbers below 36. */
const toCodes = (sound: string) => Uint8Array.from(sound, (letter) => Number.parseInt(letter, 36));

function toPlaces(sound: string): Int32Array {
  const places = new Int32Array(36);
  for (const [index, code] of toCodes(sound).entries()) places[code] = (places[code] ?? 0) | (1 << index);
  return places;
}

/**
 * The number of letters that must be added, removed or changed. A column of the usual table is two numbers of 32 bits
 * (Myers, A fast bit-vector algorithm for approximate string matching, 1999; with Hyyrö's form for whole words, 2003).
 */
function measureDistance(heard: Uint8Array, { sound, places }: Term): number {
  const last = 1 << (sound.length - 1);
  let distance = sound.length;
  let more = -1;
  let less = 0;
  for (const code of heard) {
    const same = places[code] ?? 0;
    const vertical = same | less;
    const diagonal = ((((same & more) + more) | 0) ^ more) | same;
    let up = less | ~(diagonal | more);
    let down = more & diagonal;
    if (up & last) distance++;
    if (down & last) distance--;
    up = (up << 1) | 1;
    down <<= 1;
    more = down | ~(vertical | up);
    less = up & vertical;
  }
  return distance;
}
