import { shorten, type ToolInvocation, type ToolOfCall } from '@parley/worker';
import { type Clock, systemClock } from '../clock';
import { describeError } from '../errors';
import type { AnswerPart, Message, Search } from './brain';

export interface ToolContext {
  /** The variables that the model may note. */
  variables: readonly string[];
  search?: Search;
  /** The tools that the server does. */
  tools?: readonly ToolOfCall[];
  /** Asks the server for one of them, until it is settled. An interruption does not stop it. */
  ask?: (name: string, given: Record<string, unknown>, confirmed: boolean) => Promise<ToolInvocation>;
  /** Numbers with which the model may connect the person. */
  transfers?: readonly { name: string; to: string }[];
  /** Presses keys of a telephone. */
  press?: (digits: string) => Promise<void>;
  /** Reports that the person of a phone call wants no more calls. */
  optOut?: () => Promise<void>;
  /** By which an answer waits for its tools. Default: that of this machine. */
  clock?: Clock;
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
  /** A text for the model. undefined: the tool is at work. */
  result?: string;
  /** Whether the answer waits for the result. */
  isAwaited: boolean;
  /** Whether the result came after its answer, and the model has not read it. */
  isNews?: boolean;
}

/** A tool as language models are told about it. */
export interface FunctionTool {
  name: string;
  description: string;
  /** A JSON schema. */
  parameters: object;
}

/** The tool that reports that the person wants no more calls. */
export const OPT_OUT = 'opt_out';
const OPT_OUT_USE =
  'Reports that the person wants no more calls, so that this number is never called again. Use it as soon as the person ' +
  'says so. Then say in one sentence that it is done, and end the call.';

/** The longest result that goes back to the model. */
const MAX_RESULT = 8_000;
/** The uses of earlier answers that a model reads. */
const MAX_KEPT = 100;
/** An answer waits no longer for its tools. Those that take longer go on beside the conversation. */
const WAIT_MS = 10_000;
const UNKNOWN = 'It is not known whether this was done. Do not do it again; tell the person.';
const ASK_FIRST = 'Ask the person first.';

/** The result that a model reads of a tool for which its answer does not wait. */
export const RUNNING = JSON.stringify({
  state: 'running',
  note: 'This was sent, and its answer has not come yet. Do not do it again.',
});

/** The tools of a language model in a call. */
export class Tools {
  readonly noted: Record<string, string> = {};
  private used: ToolUse[] = [];
  /** The askings that the person has to confirm, with the number of the person's turns before them. */
  private readonly unconfirmed = new Map<string, number>();
  private pressed: Promise<void> = Promise.resolve();

  /** @param settled is called with each use that has a result */
  constructor(
    private readonly context: ToolContext,
    private readonly settled: (use: ToolUse) => void = () => undefined,
  ) {}

  describe(): FunctionTool[] {
    const { search, variables, tools = [], transfers = [], press, optOut } = this.context;
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
      ...(optOut ? [tool(OPT_OUT, OPT_OUT_USE, {})] : []),
      ...transfers.map(({ name }) =>
        tool(name, `Connects the person with "${toWords(name)}", and leaves the call. Say so before.`, {}),
      ),
      ...tools.map(({ name, description, parameters }) => ({ name, description, parameters })),
    ];
  }

  get uses(): readonly ToolUse[] {
    return this.used;
  }

  /** Whether there is a result that came after its answer, and that the model has not read. */
  get hasNews(): boolean {
    return this.used.some(({ isNews }) => isNews);
  }

  /** A model that did not know what it did would repeat it. An end of the call that a further answer follows was none. */
  beginAnswer(messages: readonly Message[]): void {
    const { transfers = [] } = this.context;
    const isEnd = ({ call: { name } }: ToolUse) =>
      name === 'end_call' || transfers.some((transfer) => transfer.name === name);
    this.used = this.used.filter((use) => !isEnd(use)).slice(-MAX_KEPT);
    // Some models answer nothing after their own words, so a result that is answered comes after these.
    if (messages.at(-1)?.role === 'agent')
      for (const use of this.used) if (use.isNews) use.after = messages.length;
  }

  /** The model reads all results that there are. */
  read(): void {
    for (const use of this.used) use.isNews = false;
  }

  /**
   * Uses tools, all at once, and waits for their results. An interruption ends the waiting, and no tool.
   * @throws only the reason of the signal
   */
  async *useAll(
    calls: readonly ToolCall[],
    messages: readonly Message[],
    signal: AbortSignal,
  ): AsyncGenerator<AnswerPart, UsedTools> {
    signal.throwIfAborted();
    const uses = calls.map((call): ToolUse => ({
      ...{ after: messages.length, call },
      isAwaited: this.find(call.name)?.mode !== 'background',
    }));
    this.used.push(...uses);
    const turns = messages.filter(({ role }) => role === 'user').length;
    const parts = uses.map((use) => this.use(use, turns));
    yield* parts;
    const awaited = parts.map((part, at) => part.type === 'tool' && uses[at]?.isAwaited && part.result);
    try {
      await waitFor(awaited, this.context.clock ?? systemClock, signal);
    } finally {
      for (const use of uses) use.isAwaited = false;
    }
    return { uses, ends: parts.some(({ type }) => type === 'end' || type === 'transfer') };
  }

  private find(name: string): ToolOfCall | undefined {
    return this.context.tools?.find((each) => each.name === name);
  }

  /** Begins to use a tool. Every failure is a result that the model reads. */
  private use(use: ToolUse, turns: number): AnswerPart {
    const { name, arguments: written } = use.call;
    const transfer = this.context.transfers?.find((each) => each.name === name);
    if (name === 'end_call' || transfer) {
      this.settle(use, {});
      return transfer ? { type: 'transfer', ...transfer } : { type: 'end' };
    }
    let given: Record<string, unknown> = {};
    let running: Promise<unknown>;
    try {
      given = parseObject(written || '{}');
      const { name: variable, value } = given;
      if (name === 'note_variable' && typeof variable === 'string') {
        const part = this.note(variable, value);
        this.settle(use, { noted: true });
        return part;
      }
      running = this.run(name, given, turns);
    } catch (error) {
      running = Promise.resolve(toFailure(error));
    }
    const result = running.catch(toFailure).then((came) => this.settle(use, came));
    return { type: 'tool', name, arguments: given, say: this.find(name)?.say, result };
  }

  private settle(use: ToolUse, result: unknown): unknown {
    const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null');
    use.result = shorten(text, MAX_RESULT);
    use.isNews = !use.isAwaited;
    this.settled(use);
    return result;
  }

  private note(name: string, given: unknown): AnswerPart {
    if (!this.context.variables.includes(name)) throw new Error(`There is no variable ${name}`);
    const value = typeof given === 'string' ? given : JSON.stringify(given ?? '');
    this.noted[name] = value;
    return { type: 'variable', name, value };
  }

  private async run(name: string, given: Record<string, unknown>, turns: number): Promise<unknown> {
    const { search, press, optOut } = this.context;
    if (name === OPT_OUT && optOut) {
      await optOut();
      return { reported: true };
    }
    if (name === 'press_keys' && press) {
      const { digits } = given;
      if (typeof digits !== 'string' || !/^[0-9*#]{1,32}$/.test(digits))
        throw new Error('digits must be a text of 1 to 32 of the characters 0 to 9, * and #');
      // A carrier may do the second of two requests first.
      const pressed = this.pressed.then(() => press(digits));
      this.pressed = pressed.catch(() => undefined);
      await pressed;
      return { pressed: digits };
    }
    if (name === 'search_knowledge' && search) {
      if (typeof given.query !== 'string' || given.query === '') throw new Error('query must be a text');
      return await search(given.query);
    }
    const found = this.find(name);
    if (!found || !this.context.ask) throw new Error(`There is no tool ${name}`);
    if (found.confirm && !this.isConfirmed(name, given, turns)) return ASK_FIRST;
    return toResult(await this.context.ask(name, given, found.confirm));
  }

  /** Whether the person has spoken since the same asking. A confirmation is for one asking. */
  private isConfirmed(name: string, given: Record<string, unknown>, turns: number): boolean {
    const asking = JSON.stringify([name, given], sortMembers);
    const askedAfter = this.unconfirmed.get(asking) ?? turns;
    if (turns > askedAfter) return this.unconfirmed.delete(asking);
    this.unconfirmed.set(asking, askedAfter);
    return false;
  }
}

/** The tools of one step of an answer. */
interface UsedTools {
  uses: readonly ToolUse[];
  /** Whether the agent leaves the call. */
  ends: boolean;
}

/** @returns what the model reads of what came of a tool */
export function toResult({ state, result, error }: ToolInvocation): unknown {
  if (state === 'unknown') return { error: UNKNOWN };
  if (state !== 'done') return { error: `This was not done: ${error ?? state}` };
  return error === null ? result : { done: true, note: error };
}

export const toFailure = (error: unknown) => ({ error: describeError(error) });

/** Until all are there, or the time is over. @throws the reason of the signal */
async function waitFor(results: readonly unknown[], clock: Clock, signal: AbortSignal): Promise<void> {
  let stop: () => void = () => undefined;
  const over = new Promise<void>((resolve) => {
    const cancel = clock.after(WAIT_MS, resolve);
    const aborted = () => resolve();
    signal.addEventListener('abort', aborted, { once: true });
    stop = () => {
      cancel();
      signal.removeEventListener('abort', aborted);
    };
  });
  await Promise.race([Promise.all(results), over]);
  stop();
  signal.throwIfAborted();
}

/** The order of the members of an object does not count. */
const sortMembers = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

const toWords = (name: string) => name.replaceAll(/[_-]+/g, ' ');

const tool = (name: string, description: string, properties: Record<string, object>): FunctionTool => ({
  name,
  description,
  parameters: { type: 'object', properties, required: Object.keys(properties) },
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
