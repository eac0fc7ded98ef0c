import type { Schemas } from '../../api/client';
import type { LiveEvent } from '../../live/live-events';

export type Call = Schemas['CallDto'];

export type Change = Omit<Extract<LiveEvent, { kind: 'call' }>, 'kind'>;

/** The statuses of calls in progress, in the order in which a call has them. */
export const IN_PROGRESS = ['queued', 'accepted', 'connected'] as const satisfies Call['status'][];

export interface CallsInProgress {
  calls: Call[];
  /** The number of calls in progress, which can be higher than the number of calls that were read. */
  total: number;
  /** The time when all calls were read. */
  allReadAt: number;
}

const getRank = (status: Call['status']) => (IN_PROGRESS as Call['status'][]).indexOf(status);

/** The call after a change. A change that is older than the call does not change it. */
function changeCall(call: Call, change: Change | undefined): Call | undefined {
  if (!change) return call;
  if (getRank(change.status) < 0) return undefined;
  if (getRank(change.status) <= getRank(call.status)) return call;
  const connected_at = change.status === 'connected' ? (call.connected_at ?? change.at) : call.connected_at;
  return { ...call, status: change.status, connected_at };
}

/** The calls after the changes, by the ids of the calls. A call that has ended is left out. */
export function applyChanges(before: CallsInProgress, changes: ReadonlyMap<string, Change>): CallsInProgress {
  const calls = before.calls.flatMap((call) => changeCall(call, changes.get(call.call_id)) ?? []);
  return { ...before, calls, total: before.total - (before.calls.length - calls.length) };
}

/** Adds the calls that were read last, the newest of all calls, to those that are known. */
export function addNewest(known: CallsInProgress, newest: Call[], total: number): CallsInProgress {
  const calls = new Map([...newest, ...known.calls].map((call) => [call.call_id, call]));
  for (const call of newest) calls.set(call.call_id, call);
  return { ...known, calls: [...calls.values()], total };
}
