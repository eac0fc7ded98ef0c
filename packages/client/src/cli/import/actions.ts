import { takeName, toIdentifier, toWords } from './names';
import type { Part } from './source';

/** The names of what each voice runtime can do by itself. */
export const BUILT_IN: readonly string[] = [
  'end_call',
  'opt_out',
  'search_knowledge',
  'note_variable',
  'press_keys',
];

const MAX_ACTIONS = 1_000;

/** The actions of an agent: its tools, and the numbers with which it may connect a person. */
export class Actions {
  readonly list: string[] = [];
  private readonly taken = new Set<string>(BUILT_IN);

  get isFull(): boolean {
    return this.list.length >= MAX_ACTIONS;
  }

  addTool(name: string): void {
    this.taken.add(name);
    if (!this.list.includes(name)) this.list.push(name);
  }

  /**
   * @param number the part with the number
   * @param named the part that the name of the transfer is made of; a model knows nothing else of it
   * @returns why there is no such transfer
   */
  addTransfer(number: Part, named: Part): string | undefined {
    const to = number.text.replace(/[\s().-]/g, '');
    if (!/^\+[1-9]\d{6,14}$/.test(to)) return 'a transfer needs a number in E.164 form, such as +15551234567';
    if (this.isFull) return `an agent has at most ${MAX_ACTIONS} actions`;
    const words = toWords(named.text).join('_');
    const name = takeName(toIdentifier(named.text, 'transfer'), this.taken, '_');
    this.list.push(`${name} tel:${to}`);
    number.understood(`actions (${name})`);
    if (name.length >= words.length) named.understood(`actions (the name ${name})`);
    else named.refused(`a transfer has a name only, which is its beginning: ${name}`);
    return undefined;
  }
}
