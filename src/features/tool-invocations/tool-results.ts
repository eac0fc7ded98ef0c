import type { ToolResult } from '../tools/tool-definition';
import { storableText } from '../../platform/validation/storable';
import { MAX_VARIABLE_LENGTH } from '../calls/model/call-request';

/** The values of an answer that become variables of the call. A value that is not there changes no variable. */
export function findResults(results: ToolResult[], answer: unknown): Record<string, string> {
  const found = results.map(({ variable, pointer }) => [variable, resolve(answer, pointer)] as const);
  return Object.fromEntries(
    found.flatMap(([variable, value]) => {
      if (value === undefined || value === null) return [];
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [[variable, storableText(text, MAX_VARIABLE_LENGTH)]];
    }),
  );
}

/** RFC 6901 */
const resolve = (answer: unknown, pointer: string): unknown =>
  pointer
    .split('/')
    .slice(1)
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce<unknown>(
      (value, token) =>
        typeof value === 'object' && value !== null && Object.hasOwn(value, token)
          ? (value as Record<string, unknown>)[token]
          : undefined,
      answer,
    );
