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
export function writtenIn({ reasoning, reasoning_content, tool_calls }: Delta = {}): string {
  const called = (tool_calls ?? []).map(
    ({ function: call }) => `${call?.name ?? ''}${toText(call?.arguments)}`,
  );
  const thoughts = [reasoning, reasoning_content].filter((thought) => typeof thought === 'string');
  return [...thoughts, ...called].join('');
}

/** A call whose arguments may go on. */
export interface OpenCall {
  call: ToolCall;
  hasId: boolean;
}

/**
 * Servers differ: some send no id, some send everything at once, and Gemini sends all calls with the index 0.
 * @param calls gets the calls, in their order
 * @param open the last call of each index
 */
export function collect(calls: ToolCall[], open: Map<number, OpenCall>, delta: ToolCallDelta): void {
  const { index = 0, id, function: called } = delta;
  const more = toText(called?.arguments);
  let last = open.get(index);
  if (!last || (id ? last.hasId && last.call.id !== id : isNext(last, called?.name, more))) {
    last = { call: { id: `call_${calls.length}`, name: '', arguments: '' }, hasId: false };
    open.set(index, last);
    calls.push(last.call);
  }
  const { call } = last;
  if (id) [call.id, last.hasId] = [id, true];
  if (called?.name) call.name = called.name;
  call.arguments += more;
}

/**
 * Without ids, another name begins another call, and so do other arguments after whole ones. Some servers repeat the name
 * with each piece.
 */
function isNext({ call, hasId }: OpenCall, name: string | undefined, more: string): boolean {
  const begun = call.arguments.trimEnd();
  if (hasId || !name || (begun !== '' && !begun.endsWith('}'))) return false;
  const isOther = call.name !== '' && call.name !== name;
  return isOther || (begun !== '' && more.trimStart().startsWith('{'));
}

/** @throws Error if they are no JSON */
function toText(given: unknown): string {
  if (given === undefined || given === null) return '';
  if (typeof given === 'string') return given;
  if (typeof given === 'object') return JSON.stringify(given);
  throw new Error('The model wrote arguments of an unknown form');
}
