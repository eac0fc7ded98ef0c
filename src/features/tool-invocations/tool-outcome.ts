import type { McpResult } from '../tools/mcp-client';
import { MAX_BODY_BYTES, type ToolAnswer, type ToolFailure } from '../tools/tool-client';
import { INVOCATION_STATE, type InvocationState } from './tool-invocation.entity';

/** NUL and half of a surrogate pair, as JSON has them: Postgres stores neither. */
const UNSTORABLE = /(?<!\\)(?:\\\\)*\\u(?:0000|d[89a-f])/;

/** A value that is nested thousands of levels deep cannot be written as JSON. */
const MAX_DEPTH = 100;

/** The characters of a refusal that are kept, so that a model can act on it. */
const MAX_REFUSAL = 1_000;

export interface ToolOutcome {
  state: Exclude<InvocationState, 'running'>;
  /** The answer, parsed if it is JSON; null: there is none that can be kept */
  result: unknown;
  error: string | null;
  /** The pause that the address asks for. 0: none */
  retryAfterMs: number;
}

const outcome = (state: ToolOutcome['state'], error: string | null, result: unknown = null): ToolOutcome => ({
  ...{ state, error, result, retryAfterMs: 0 },
});

/** Decides what an answer, or none, says about what was done. */
export function toOutcome(answer: ToolAnswer | ToolFailure | McpResult): ToolOutcome {
  if ('wasSent' in answer)
    return outcome(answer.wasSent ? INVOCATION_STATE.unknown : INVOCATION_STATE.failed, answer.message);
  if ('isError' in answer)
    return answer.isError
      ? outcome(INVOCATION_STATE.refused, shortenRefusal(answer.text) || 'the tool says that it failed')
      : readResult(answer.text);
  const { status, retryAfter, text } = answer;
  const answered = `it answers with status ${status}`;
  if (status >= 200 && status < 300) return readResult(text);
  const retryAfterMs = 1_000 * Math.max(0, Number(retryAfter) || 0);
  if ([408, 425, 429].includes(status) || (status === 503 && retryAfter !== undefined))
    return { ...outcome(INVOCATION_STATE.failed, answered), retryAfterMs };
  if (status < 400 || status >= 500) return outcome(INVOCATION_STATE.unknown, answered);
  const said = shortenRefusal(text ?? '');
  return outcome(INVOCATION_STATE.refused, said ? `${answered}: ${said}` : answered);
}

const shortenRefusal = (text: string) => text.slice(0, MAX_REFUSAL).toWellFormed().replaceAll('\0', '\uFFFD');

/** It was done, whatever its answer is. */
function readResult(text: string | undefined): ToolOutcome {
  const done = (error: string | null, result: unknown = null) =>
    outcome(INVOCATION_STATE.done, error, result);
  if (text === undefined) return done('its answer is broken');
  if (Buffer.byteLength(text) > MAX_BODY_BYTES) return done('its answer is larger than 64 KB');
  if (text === '') return done(null);
  let result: unknown = text;
  try {
    result = JSON.parse(text);
  } catch {
    // An answer may be a plain text.
  }
  if (isDeeper(result, MAX_DEPTH)) return done(`its answer is nested more than ${MAX_DEPTH} levels deep`);
  return UNSTORABLE.test(JSON.stringify(result))
    ? done('its answer has a character that cannot be stored')
    : done(null, result);
}

const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some((member) => isDeeper(member, levels - 1)));
