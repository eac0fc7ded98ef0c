import { describeError } from '../errors';
import type { AnswerPart, Message, Search } from './brain';

/** Something that the agent's owner lets the language model do. */
export interface Action {
  name: string;
  run(given: Record<string, unknown>, signal: AbortSignal): Promise<unknown>;
}

export interface ToolContext {
  /** The variables that the model may note. */
  variables: readonly string[];
  search?: Search;
  actions?: readonly Action[];
  /** Numbers with which the model may connect the person. */
  transfers?: readonly { name: string; to: string }[];
  /** Presses keys of a telephone. */
  press?: (digits: string) => Promise<void>;
}

export interface ToolCall {
  id: string;
  name: string;
  /** JSON, as the model wrote it. */
  arguments: string;
}

/** A tool that the model has used after so many messages. */
export interface ToolUse {
  after: number;
  call: ToolCall;
  /** JSON for the model. undefined: the tool is at work. */
  result?: string;
}

/** A tool as language models are told about it. */
export interface FunctionTool {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: object;
}

/** The longest result that goes back to the model. */
const MAX_RESULT = 8_000;
/** The uses of earlier answers that a model reads. */
const MAX_KEPT = 10;
/** The results of tools whose answer was interrupted. */
const UNKNOWN = JSON.stringify({
  error:
    'This was interrupted. It is not known whether it was done. Do not repeat it, unless the person asks for it again.',
});
const NOT_BEGUN = JSON.stringify({ error: 'This was interrupted, and was not done.' });

/** The tools of a language model in a call. */
export class Tools {
  readonly noted: Record<string, string> = {};
  /** The uses of the present answer, and the actions of earlier ones. */
  private used: ToolUse[] = [];

  constructor(private readonly context: ToolContext) {}

  describe(): FunctionTool[] {
    const { search, variables, actions = [], transfers = [], press } = this.context;
    const text = { type: 'string' };
    return [
      tool('end_call', 'Ends the call, after you have said goodbye.', {}),
      ...(search ? [tool('search_knowledge', 'Finds passages in the documents.', { query: text })] : []),
      ...(variables.length > 0
        ? [tool('note_variable', 'Notes what the person said.', { name: { enum: variables }, value: text })]
        : []),
      ...(press
        ? [tool('press_keys', 'Presses keys of the telephone, such as for a menu.', { digits: text })]
        : []),
      ...transfers.map(({ name }) =>
        tool(name, `Connects the person with "${toWords(name)}", and leaves the call. Say so before.`, {}),
      ),
      ...actions.map(({ name }) =>
        tool(
          name,
          `Does "${toWords(name)}". Give what is needed for it, by name.`,
          {},
          { additionalProperties: true },
        ),
      ),
    ];
  }

  get uses(): readonly ToolUse[] {
    return this.used;
  }

  /** A model that did not know of its actions would repeat them. Everything else of the last answer is forgotten. */
  beginAnswer(): void {
    const { actions = [] } = this.context;
    const isAct = ({ call: { name } }: ToolUse) =>
      name === 'press_keys' || actions.some((action) => action.name === name);
    this.used = this.used.filter(isAct).slice(-MAX_KEPT);
  }

  /**
   * Uses tools one after the other, each call once.
   * @param settled is called with the result of each one, also if the answer is interrupted
   * @throws only the reason of the signal
   */
  async *useAll(
    calls: readonly ToolCall[],
    after: number,
    signal: AbortSignal,
    settled: (use: ToolUse) => void,
  ): AsyncIterable<AnswerPart> {
    const uses = calls.map((call): ToolUse => ({ after, call }));
    this.used.push(...uses);
    let running: ToolUse | undefined;
    try {
      for (const use of uses) {
        running = use;
        const { result, part } = await this.use(use.call, signal);
        use.result = result;
        settled(use);
        yield part;
      }
    } finally {
      for (const use of uses) {
        if (use.result !== undefined) continue;
        use.result = use === running ? UNKNOWN : NOT_BEGUN;
        settled(use);
      }
    }
  }

  /** @throws only the reason of the signal: everything else is a result that the model reads */
  private async use({ name, arguments: written }: ToolCall, signal: AbortSignal): Promise<UsedTool> {
    if (name === 'end_call') return { result: '{}', part: { type: 'end' } };
    const transfer = this.context.transfers?.find((each) => each.name === name);
    if (transfer) return { result: '{}', part: { type: 'transfer', ...transfer } };
    let given: Record<string, unknown> = {};
    let result: unknown;
    try {
      given = parseObject(written || '{}');
      const { name: variable, value } = given;
      if (name === 'note_variable' && typeof variable === 'string') return this.note(variable, value);
      result = await this.run(name, given, signal);
    } catch (error) {
      signal.throwIfAborted();
      result = { error: describeError(error) };
    }
    const text = JSON.stringify(result) ?? 'null';
    return { result: text.slice(0, MAX_RESULT), part: { type: 'tool', name, arguments: given, result } };
  }

  private note(name: string, given: unknown): UsedTool {
    if (!this.context.variables.includes(name)) throw new Error(`There is no variable ${name}`);
    const value = typeof given === 'string' ? given : JSON.stringify(given ?? '');
    this.noted[name] = value;
    return { result: '{"noted":true}', part: { type: 'variable', name, value } };
  }

  private async run(name: string, given: Record<string, unknown>, signal: AbortSignal): Promise<unknown> {
    const { search, actions = [], press } = this.context;
    if (name === 'press_keys' && press) {
      const { digits } = given;
      if (typeof digits !== 'string' || !/^[0-9*#]{1,32}$/.test(digits))
        throw new Error('digits must be a text of 1 to 32 of the characters 0 to 9, * and #');
      await press(digits);
      return { pressed: digits };
    }
    if (name === 'search_knowledge' && search) {
      if (typeof given.query !== 'string' || given.query === '') throw new Error('query must be a text');
      return await search(given.query);
    }
    const action = actions.find((candidate) => candidate.name === name);
    if (!action) throw new Error(`There is no tool ${name}`);
    return await action.run(given, signal);
  }
}

const toWords = (name: string) => name.replaceAll(/[_-]+/g, ' ');

interface UsedTool {
  /** JSON for the model. */
  result: string;
  part: AnswerPart;
}

const tool = (
  name: string,
  description: string,
  properties: Record<string, object>,
  more: object = {},
): FunctionTool => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties), ...more },
});

/** The messages and the uses of tools, in their order. */
export function interleave<Item>(
  messages: readonly Message[],
  uses: readonly ToolUse[],
  toItem: (message: Message) => Item,
  toItems: (use: ToolUse) => Item[],
): Item[] {
  const usesAt = (at: number) =>
    uses.filter(({ after }) => Math.min(after, messages.length) === at).flatMap(toItems);
  return [...messages.flatMap((message, at) => [...usesAt(at), toItem(message)]), ...usesAt(messages.length)];
}

export function parseObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Error('This is not an object');
  return value as Record<string, unknown>;
}
