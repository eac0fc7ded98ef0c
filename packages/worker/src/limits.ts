import { jsonSize } from './json-size';
import type { ToolUse } from './messages';

/** The limits of the contract for the lengths of texts. */
export const LENGTHS = {
  turn: 8_000,
  toolName: 200,
  summary: 20_000,
  text: 2_000,
  fieldName: 100,
  url: 2_048,
  warningCode: 100,
  warning: 500,
};

/** The size leaves room for the ids of the call, below the contract's 65,536. */
export const MAX_BYTES = 60_000;
/** A tool's arguments with more values, or more levels, are sent as a text. */
const MAX_TOOL_VALUES = 3_500;
const MAX_TOOL_DEPTH = 24;

/** The beginning of a text that is too long, with `…`. */
export function shorten(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  // A pair of surrogates stays together.
  const end = /[\uD800-\uDBFF]$/.test(text.slice(0, maxLength - 1)) ? maxLength - 2 : maxLength - 1;
  return `${text.slice(0, end)}…`;
}

/**
 * Makes fields that fit into a message. Characters have up to six bytes in JSON, so texts of a valid length may be too
 * large together.
 * @param make makes them with texts of at most this share of the valid length
 */
export function fitting<Fields extends object>(make: (share: number) => Fields): Fields {
  for (let share = 1; ; share /= 2) {
    const fields = make(share);
    if (jsonSize(fields).bytes <= MAX_BYTES || share < 1 / 1_024) return fields;
  }
}

/** @throws TypeError if it is not JSON */
export function fittingTool({ name, ...uses }: ToolUse, share: number): ToolUse {
  const tool: ToolUse = { name: shorten(name, LENGTHS.toolName) };
  for (const what of ['arguments', 'result'] as const) {
    if (uses[what] === undefined) continue;
    tool[what] = fittingJson(uses[what], LENGTHS.turn * share);
  }
  return tool;
}

function fittingJson(value: unknown, maxLength: number): unknown {
  const json = JSON.stringify(value) as string | undefined;
  if (json === undefined) return null;
  const plain = JSON.parse(json) as unknown;
  const { values, depth } = jsonSize(plain);
  const isSmall = json.length <= maxLength && values <= MAX_TOOL_VALUES && depth <= MAX_TOOL_DEPTH;
  return isSmall ? plain : shorten(json, maxLength);
}
