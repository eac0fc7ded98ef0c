/** Counts of the texts that were replaced, each once. */
export interface Replaced {
  names: number;
  numbers: number;
  emails: number;
  values: number;
}

/** Invented names, which replace the words of a name. */
const NAMES = ['Robin', 'Miller', 'Alex', 'Taylor', 'Jamie', 'Fisher'] as const;

/** A shorter word of a name, such as "de", is also another word. */
const MIN_NAME_LENGTH = 3;
/** A shorter value is too often a part of something else. */
const MIN_VALUE_LENGTH = 2;
/** The words of a value that are looked for. */
const MAX_WORDS = 20;

/** The parts of an address are bounded, so that each start is tried in constant time. */
const EMAIL = '[\\p{L}\\p{N}._%+-]{1,64}@[\\p{L}\\p{N}-]{1,63}(?:\\.[\\p{L}\\p{N}-]{1,63}){1,8}';
/** Five digits or more, which may stand apart, as in a phone number. */
const DIGITS = '\\+?\\p{Nd}(?:[\\s()./-]{0,3}\\p{Nd}){4,30}';
const TOKEN = new RegExp(`(${EMAIL})|(${DIGITS})|[\\p{L}\\p{N}]+`, 'gu');

/** The words of known texts, one after the other. */
interface Known {
  next: Map<string, Known>;
  standIn?: string;
}

/** Puts stand-ins in the place of what tells who a person is: the same one for the same text, everywhere. */
export class StandIns {
  private readonly known: Known = { next: new Map() };
  private readonly variables = new Map<string, string>();
  private readonly found = new Map<string, string>();
  private readonly counts: Replaced = { names: 0, numbers: 0, emails: 0, values: 0 };

  /** @param variables the values of a call by their names */
  constructor(customerName: string, variables: Readonly<Record<string, string>>) {
    const words = customerName.normalize('NFC').match(TOKEN) ?? [];
    const toName = (word: string, at: number) =>
      word.length < MIN_NAME_LENGTH ? word : (NAMES[at % NAMES.length] ?? NAMES[0]);
    if (words.length > 0) this.counts.names += 1;
    this.add(words, words.map(toName).join(' '));
    for (const [at, word] of words.entries())
      if (word.length >= MIN_NAME_LENGTH) this.add([word], toName(word, at));
    for (const [name, value] of Object.entries(variables)) {
      if (value.trim() === '' || this.variables.has(value)) continue;
      const standIn = this.find(value) ?? `the ${name}`;
      this.variables.set(value, standIn);
      this.counts.values += 1;
      if (value.trim().length >= MIN_VALUE_LENGTH)
        this.add(value.normalize('NFC').match(TOKEN) ?? [], standIn);
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
    let written = '';
    let end = 0;
    for (let at = 0; at < tokens.length;) {
      const [token] = tokens[at] as RegExpExecArray;
      const start = (tokens[at] as RegExpExecArray).index;
      const { standIn, length } = this.longest(tokens, at) ?? {
        standIn: this.replace(tokens[at] as RegExpExecArray),
        length: 1,
      };
      const last = tokens[at + length - 1] as RegExpExecArray;
      written += text.slice(end, start) + (standIn ?? token);
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

  private find(text: string): string | undefined {
    const tokens = [...text.normalize('NFC').matchAll(TOKEN)];
    const longest = this.longest(tokens, 0);
    return longest?.length === tokens.length ? longest.standIn : undefined;
  }

  /** The longest known text that begins with this token. */
  private longest(tokens: readonly RegExpExecArray[], at: number) {
    let node: Known | undefined = this.known;
    let longest: { standIn: string; length: number } | undefined;
    for (let length = 1; node; length += 1) {
      node = node.next.get(tokens[at + length - 1]?.[0].toLowerCase() ?? '');
      if (node?.standIn !== undefined) longest = { standIn: node.standIn, length };
    }
    return longest;
  }

  private add(words: readonly string[], standIn: string): void {
    if (words.length === 0 || words.length > MAX_WORDS) return;
    let node = this.known;
    for (const word of words) {
      const next = node.next.get(word.toLowerCase()) ?? { next: new Map() };
      node.next.set(word.toLowerCase(), next);
      node = next;
    }
    node.standIn ??= standIn;
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
