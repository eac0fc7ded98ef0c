import { createHash, randomUUID } from 'node:crypto';
import { shorten } from '@parley/worker';
import { describeError } from '../errors';
import type { AnswerPart, Message, Search } from './brain';

/** Something that the agent's owner lets the language model do. */
export interface Action {
  name: string;
  /**
   * It ends by itself: an interruption does not undo what was sent.
   * @param key the same for the same arguments in a call, unless it is known that nothing was done with them
   * @throws SentError, or an error that says why it was not done
   */
  run(given: Record<string, unknown>, key: string): Promise<unknown>;
}

/** An action was sent and not refused, and there is no answer that can be read. */
export class SentError extends Error {
  constructor(
    message: string,
    /** Whether it is not known if it was done. Otherwise it was done. */
    readonly isUnknown: boolean,
  ) {
    super(message);
    this.name = 'SentError';
  }
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

/** A tool that the model has used after this many messages. */
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
const MAX_KEPT = 100;
const LEAVE_IT = 'Do not do it again; tell the person.';
/** The result of a tool whose answer was interrupted before. */
const NOT_BEGUN = JSON.stringify({ error: 'This was interrupted, and was not done.' });

/** The result that a model reads of a tool that is at work since an answer that was interrupted. */
export const RUNNING = JSON.stringify({
  state: 'running',
  note: 'This was sent, and its answer has not come yet. Do not do it again.',
});

/** The tools of a language model in a call. */
export class Tools {
  readonly noted: Record<string, string> = {};
  private used: ToolUse[] = [];
  /** The requests of the model, by the action and its arguments. */
  private readonly askings = new Map<string, Asking>();

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

  /** A model that did not know what it did would repeat it. An end of the call that a further answer follows was none. */
  beginAnswer(): void {
    const { transfers = [] } = this.context;
    const isEnd = ({ call: { name } }: ToolUse) =>
      name === 'end_call' || transfers.some((transfer) => transfer.name === name);
    this.used = this.used.filter((use) => !isEnd(use)).slice(-MAX_KEPT);
  }

  /**
   * Uses tools one after the other, each call once. An interruption does not stop the one that is at work: its part is
   * the last one then.
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
    const leave = () => {
      for (const use of uses.splice(0)) {
        use.result = NOT_BEGUN;
        settled(use);
      }
    };
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    try {
      for (let use = uses.shift(); use; use = uses.shift()) {
        const { result, part } = await this.use(use.call);
        use.result = result;
        settled(use);
        yield part;
      }
      signal.throwIfAborted();
    } finally {
      leave();
      signal.removeEventListener('abort', leave);
    }
  }

  /** Every failure is a result that the model reads. */
  private async use({ name, arguments: written }: ToolCall): Promise<UsedTool> {
    if (name === 'end_call') return { result: '{}', part: { type: 'end' } };
    const transfer = this.context.transfers?.find((each) => each.name === name);
    if (transfer) return { result: '{}', part: { type: 'transfer', ...transfer } };
    let given: Record<string, unknown> = {};
    let result: unknown;
    try {
      given = parseObject(written || '{}');
      const { name: variable, value } = given;
      if (name === 'note_variable' && typeof variable === 'string') return this.note(variable, value);
      result = await this.run(name, given);
    } catch (error) {
      const isUnknown = error instanceof SentError && error.isUnknown;
      result = { error: `${describeError(error)}${isUnknown ? ` ${LEAVE_IT}` : ''}` };
    }
    const text = JSON.stringify(result) ?? 'null';
    return { result: shorten(text, MAX_RESULT), part: { type: 'tool', name, arguments: given, result } };
  }

  private note(name: string, given: unknown): UsedTool {
    if (!this.context.variables.includes(name)) throw new Error(`There is no variable ${name}`);
    const value = typeof given === 'string' ? given : JSON.stringify(given ?? '');
    this.noted[name] = value;
    return { result: '{"noted":true}', part: { type: 'variable', name, value } };
  }

  private async run(name: string, given: Record<string, unknown>): Promise<unknown> {
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
    const id = identify(name, given);
    const asking = this.askings.get(id) ?? { key: randomUUID() };
    this.askings.set(id, asking);
    // A request that is under way is not sent twice.
    return await (asking.running ??= this.act(action, given, asking, id));
  }

  private async act(
    action: Action,
    given: Record<string, unknown>,
    asking: Asking,
    id: string,
  ): Promise<unknown> {
    try {
      return await action.run(given, asking.key);
    } catch (error) {
      // A further attempt is another one: a receiver that keeps its answers would repeat its refusal.
      if (!(error instanceof SentError)) this.askings.delete(id);
      throw error;
    } finally {
      asking.running = undefined;
    }
  }
}

interface Asking {
  /** The `Idempotency-Key` of its requests. */
  key: string;
  running?: Promise<unknown>;
}

/** The order of the members does not count. */
function identify(name: string, given: Record<string, unknown>): string {
  const sorted = (_: string, value: unknown): unknown =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value;
  return createHash('sha256')
    .update(JSON.stringify([name, given], sorted))
    .digest('base64');
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
