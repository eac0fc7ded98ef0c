import { toMembers } from '../json-frames';
import type { ToolCall } from './tools';

/** A part of an answer, as servers of chat completions stream it. */
export interface Delta {
  /** A text; of some servers a list of parts. */
  content?: unknown;
  /** The thoughts of a model have one of two names. */
  reasoning_content?: unknown;
  reasoning?: unknown;
  tool_calls?: ToolCallDelta[];
}

export interface ToolCallDelta {
  index?: number;
  id?: string;
  function?: { name?: string; arguments?: unknown };
}

/** The types of parts that are not said: Mistral and Anthropic write their thoughts in them. */
const THOUGHTS = new Set(['thinking', 'redacted_thinking', 'reasoning']);

/** @throws Error if the content has a form that is not known */
export function readContent(content: unknown): { said: string; thought: string } {
  if (content === undefined || content === null) return { said: '', thought: '' };
  if (typeof content === 'string') return { said: content, thought: '' };
  if (!Array.isArray(content)) throw new Error('The model wrote content of an unknown form');
  let [said, thought] = ['', ''];
  for (const part of (content as unknown[]).map(toMembers)) {
    const { type, text } = part;
    if (type === 'text' && typeof text === 'string') said += text;
    else if (typeof type === 'string' && THOUGHTS.has(type)) thought += readThought(part);
    else throw new Error('The model wrote content of an unknown form');
  }
  return { said, thought };
}

/** They are counted, and show that the model goes on. */
function readThought({ text, thinking, reasoning }: Record<string, unknown>): string {
  const texts = [text, thinking, reasoning].flatMap((given) =>
    Array.isArray(given) ? given.map((part) => toMembers(part).text) : given,
  );
  return texts.filter((given) => typeof given === 'string').join('');
}

/** The text that a model wrote beside its content. */
export function writtenIn({ reasoning, reasoning_content, tool_calls }: Delta): string {
  const called = (tool_calls ?? []).map(
    ({ function: call }) => `${call?.name ?? ''}${toText(call?.arguments)}`,
  );
  const thoughts = [reasoning, reasoning_content].filter((thought) => typeof thought === 'string');
  return [...thoughts, ...called].join('');
}

/** A call whose arguments may go on. */
export interface OpenCall {
  call: ToolCall;
  /** As the server gave it. */
  id?: string;
  end: ObjectEnd;
}

/**
 * Servers differ: some send no id, or another one with each piece, some send everything at once, and Gemini sends all calls
 * with the index 0.
 * @param calls gets the calls, in their order
 * @param open the last call of each index
 */
export function collect(calls: ToolCall[], open: Map<number, OpenCall>, delta: ToolCallDelta): void {
  const { index = 0, id, function: called } = delta;
  const name = called?.name;
  const more = toText(called?.arguments);
  let last = open.get(index);
  if (!last || isNext(last, more, id, name)) {
    const [own, isUsed] = [`call_${calls.length}`, last !== undefined && id === last.id];
    const call = { id: (!isUsed && id) || own, name: last?.call.name ?? '', arguments: '' };
    last = { call, id: id || undefined, end: new ObjectEnd() };
    open.set(index, last);
    calls.push(call);
  }
  const { call, end } = last;
  if (id && last.id === undefined) call.id = last.id = id;
  if (name) call.name = name;
  call.arguments += more;
  end.read(more);
}

/**
 * Another name begins another call, and so do other arguments after whole ones. Some servers repeat the name with each
 * piece.
 */
function isNext({ call, id, end }: OpenCall, more: string, given?: string, name?: string): boolean {
  const isOther = Boolean(id && given) && given !== id;
  if (isOther && name) return true;
  if (end.hasBegun && !end.isWhole) return false;
  if (name && call.name !== '' && call.name !== name) return true;
  const isSame = id !== undefined && !isOther;
  return !isSame && end.isWhole && more.trimStart().startsWith('{');
}

/** Finds the end of a JSON object that comes in pieces. Each is read once, or long arguments would take the square of it. */
class ObjectEnd {
  hasBegun = false;
  private depth = 0;
  private isText = false;
  private isEscaped = false;

  get isWhole(): boolean {
    return this.hasBegun && !this.isText && this.depth === 0;
  }

  read(piece: string): void {
    if (!this.hasBegun && piece.trim() === '') return;
    this.hasBegun = true;
    for (const sign of piece) {
      if (this.isEscaped) this.isEscaped = false;
      else if (sign === '\\') this.isEscaped = true;
      else if (sign === '"') this.isText = !this.isText;
      else if (!this.isText && sign === '{') this.depth++;
      else if (!this.isText && sign === '}') this.depth--;
    }
  }
}

/** @throws Error if they are no JSON */
function toText(given: unknown): string {
  if (given === undefined || given === null) return '';
  if (typeof given === 'string') return given;
  if (typeof given === 'object') return JSON.stringify(given);
  throw new Error('The model wrote arguments of an unknown form');
}
