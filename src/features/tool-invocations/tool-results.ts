import { readPointer } from '../tools/json-pointer';
import type { ToolResult } from '../tools/tool-definition';
import { storableText } from '../../platform/validation/storable';
import { MAX_VARIABLE_LENGTH } from '../calls/model/call-request';

/** The values of an answer that become variables of the call. A value that is not there changes no variable. */
export function findResults(results: ToolResult[], answer: unknown): Record<string, string> {
  const found = results.map(({ variable, pointer }) => [variable, readPointer(answer, pointer)] as const);
  return Object.fromEntries(
    found.flatMap(([variable, value]) => {
      if (value === undefined || value === null) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [[variable, storableText(text, MAX_VARIABLE_LENGTH)]];
    }),
  );
}
