import type { Filter } from './types';

/** The list that the API takes where a filter may also have one value. */
export function toList<Value>(given: Value | Value[] | undefined): Value[] | undefined {
  if (given === undefined) return undefined;
  return Array.isArray(given) ? given : [given];
}

/** The filters of calls that take several values. */
export const toCallLists = ({
  status,
  disconnect_reason,
}: Pick<Filter<'listCalls'>, 'status' | 'disconnect_reason'>) => ({
  status: toList(status),
  disconnect_reason: toList(disconnect_reason),
});
