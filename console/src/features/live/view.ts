import { type Call, IN_PROGRESS } from './in-progress';
import { getPerson } from '../../domain/phone-number';

/** The parameters of the address that choose and order the calls. */
export const FILTERS = ['agent_id', 'campaign_id', 'status'] as const;

/** The value of a filter that finds the calls without a campaign. */
export const NO_CAMPAIGN = 'none';

const isMatch = (call: Call, name: (typeof FILTERS)[number], wanted: string): boolean => {
  if (name === 'agent_id') return call.agent.id === wanted;
  if (name === 'status') return call.status === wanted;
  return (call.campaign_id ?? NO_CAMPAIGN) === wanted;
};

/** The calls that match all filters of the address, or all but one. */
export function filterCalls(
  calls: Call[],
  parameters: URLSearchParams,
  except?: (typeof FILTERS)[number],
): Call[] {
  const asked = FILTERS.filter((name) => name !== except && parameters.get(name));
  return calls.filter((call) => asked.every((name) => isMatch(call, name, parameters.get(name) ?? '')));
}

/** The time since which a call is connected, or waits. */
export const getStart = ({ connected_at, created_at }: Call) => Date.parse(connected_at ?? created_at);

export const GROUPS = ['agent', 'campaign'] as const;

export type Group = (typeof GROUPS)[number];

/** The value by which calls are grouped. */
export const getGroupKey = (call: Call, group: Group) =>
  group === 'agent' ? call.agent.id : (call.campaign_id ?? NO_CAMPAIGN);

export interface Order {
  by: string;
  order: 'asc' | 'desc';
  group?: Group;
}

/** The order of the address; the longest call comes first unless it says otherwise. */
export function readOrder(parameters: URLSearchParams): Order {
  return {
    by: parameters.get('sortBy') ?? 'time',
    order: parameters.get('sortOrder') === 'asc' ? 'asc' : 'desc',
    group: GROUPS.find((group) => group === parameters.get('group_by')),
  };
}

const texts = new Intl.Collator(undefined, { numeric: true });

type Compare = (left: Call, right: Call) => number;

/** A connected call is longer than one that waits. Among both, a longer time means an earlier start. */
const compareTimes: Compare = (left, right) =>
  Number(left.connected_at !== null) - Number(right.connected_at !== null) ||
  getStart(right) - getStart(left);

/** @param getName the name of the campaign of a call */
function compareBy(by: string, getName: (call: Call) => string): Compare {
  const byText = (getText: (call: Call) => string): Compare => {
    const known = new Map<Call, string>();
    const read = (call: Call) => {
      const text = known.get(call) ?? getText(call);
      known.set(call, text);
      return text;
    };
    return (left, right) => texts.compare(read(left), read(right));
  };
  switch (by) {
    case 'person':
      return byText(getPerson);
    case 'agent':
      return byText(({ agent }) => agent.name);
    case 'campaign':
      return byText(getName);
    case 'status':
      return (left, right) =>
        IN_PROGRESS.indexOf(left.status as never) - IN_PROGRESS.indexOf(right.status as never);
    default:
      return compareTimes;
  }
}

/** Sorts calls within their groups, and the groups by name. Calls with equal values are sorted by id. */
export function sortCalls(
  calls: Call[],
  { by, order, group }: Order,
  getName: (call: Call) => string,
): Call[] {
  const sign = order === 'asc' ? 1 : -1;
  const compare = compareBy(by, getName);
  const compareGroups = group && compareBy(group, getName);
  return [...calls].sort((left, right) => {
    const inGroups =
      group && compareGroups
        ? compareGroups(left, right) || getGroupKey(left, group).localeCompare(getGroupKey(right, group))
        : 0;
    return inGroups || sign * compare(left, right) || left.call_id.localeCompare(right.call_id);
  });
}

export type StatusCounts = Record<(typeof IN_PROGRESS)[number], number>;

/** The number of calls in each status. */
export function countStatuses(calls: Call[]): StatusCounts {
  const counts: StatusCounts = { queued: 0, accepted: 0, connected: 0 };
  for (const { status } of calls) if (status in counts) counts[status as keyof StatusCounts] += 1;
  return counts;
}
