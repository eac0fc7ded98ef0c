import { KnownTexts } from './known-texts';

/** Counts of the texts that were replaced, each once. */
export interface Replaced {
  names: number;
  numbers: number;
  emails: number;
  values: number;
}

/** Invented names, which replace the words of a name. */
const NAMES = ['Robin', 'Miller', 'Alex', 'Taylor', 'Jamie', 'Fisher'] as const;

/** A shorter word of a longer name, such as "de", is also another word. */
const MIN_NAME_LENGTH = 3;
/** A shorter value is too often a part of something else. */
const MIN_VALUE_LENGTH = 2;

/** The parts of an address are bounded, so that each start is tried in constant time. */
const EMAIL = '[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8}';
/** Five digits or more, which may stand apart, as in a phone number. */
const DIGITS = '\\+?\\p{Nd}(?:[\\s()./-]{0,3}\\p{Nd}){4,30}';
/** Letters of languages that are written without spaces, or whose words have endings: each one is a word. */
const ALONE =
  '[' +
  ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
    .map((script) => `\\p{Script=${script}}`)
    .join('') +
  ']';
const WORD = `${ALONE}\\p{M}*|(?:(?!${ALONE})[\\p{L}\\p{N}\\p{M}])+`;
const TOKEN = new RegExp(`(${EMAIL})|(${DIGITS})|${WORD}`, 'gu');
const WORD_OF_NAME = /[\p{L}\p{N}\p{M}]+/gu;

const toWords = (text: string) =>
  Array.from(text.normalize('NFC').matchAll(TOKEN), ([token]) => token.toLowerCase());

/** Puts stand-ins in the place of what tells who a person is: the same one for the same text, everywhere. */
export class StandIns {
  private readonly known = new KnownTexts();
  private readonly variables = new Map<string, string>();
  private readonly found = new Map<string, string>();
  private readonly counts: Replaced = { names: 0, numbers: 0, emails: 0, values: 0 };

  /** @param variables the values of a call by their names */
  constructor(customerName: string, variables: Readonly<Record<string, string>>) {
    const name = customerName.normalize('NFC').match(WORD_OF_NAME) ?? [];
    const toName = (at: number) => NAMES[at % NAMES.length] ?? NAMES[0];
    if (name.length > 0) this.counts.names += 1;
    this.known.add(toWords(customerName), name.map((_, at) => toName(at)).join(' '));
    for (const [at, word] of name.entries())
      if (word.length >= MIN_NAME_LENGTH) this.known.add(toWords(word), toName(at));
    for (const [variable, value] of Object.entries(variables)) {
      if (value.trim() === '' || this.variables.has(value)) continue;
      const words = toWords(value);
      const standIn = this.known.get(words) ?? `the ${variable}`;
      this.variables.set(value, standIn);
      this.counts.values += 1;
      if (value.trim().length >= MIN_VALUE_LENGTH) this.known.add(words, standIn);
    }
  }

  get replaced(): Replaced {
    return { ...this.counts };
  }

  ofVariable(value: string): string {
    return this.variables.get(value) ?? this.inText(value);
  }

  inText(given: string): string {
    const text = given.normalize('NFC');
    const tokens = [...text.matchAll(TOKEN)];
    const known = this.known.find(tokens.map(([token]) => token.toLowerCase()));
    let written = '';
    let end = 0;
    for (let at = 0; at < tokens.length;) {
      const first = tokens[at] as RegExpExecArray;
      const { standIn, length } = known[at] ?? { standIn: this.replace(first), length: 1 };
      const last = tokens[at + length - 1] as RegExpExecArray;
      written += text.slice(end, first.index) + (standIn ?? first[0]);
      end = last.index + last[0].length;
      at += length;
    }
    return written + text.slice(end);
  }

  /** Replaces in all texts and numbers of a value of JSON. */
  inJson(value: unknown): unknown {
    if (typeof value === 'string') return this.inText(value);
    if (typeof value === 'number') {
      const [given, text] = [String(value), this.inText(String(value))];
      if (text === given) return value;
      return /^-?\d+$/.test(text) ? Number(text) : text;
    }
    if (Array.isArray(value)) return value.map((item) => this.inJson(item));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.inJson(item)]));
  }

  /** @returns the stand-in of an e-mail address or a number that is not known; undefined: another word */
  private replace([token, email, digits]: RegExpExecArray): string | undefined {
    if (email !== undefined)
      return this.remember('emails', email.toLowerCase(), (count) => `person${count}@example.com`);
    if (digits === undefined) return undefined;
    const all = digits.replace(/\P{Nd}/gu, '');
    return this.remember('numbers', all, (count) =>
      token.startsWith('+') ? `+1555${1_000_000 + count}` : `1${String(count).padStart(all.length - 1, '0')}`,
    );
  }

  private remember(kind: 'emails' | 'numbers', key: string, create: (count: number) => string): string {
    const known = this.found.get(key);
    if (known !== undefined) return known;
    const standIn = create((this.counts[kind] += 1));
    this.found.set(key, standIn);
    return standIn;
  }
}
