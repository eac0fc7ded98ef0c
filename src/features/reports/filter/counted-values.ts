import {
  COUNTED_OUTCOME_LENGTH,
  type Dimension,
  durationValues,
  versionValue,
} from '../../calls/counts/call-dimensions';
import type { CallFilter } from './call-filter';

/** The values by which the segments count the calls of a filter with a single condition. */
export interface CountedValues {
  dimension: Dimension;
  /** null: all values. Of versions of agents, a number alone is one of any agent, and an id all versions of the agent. */
  values: string[] | null;
}

/** A dimension, and its values that meet a condition exactly. undefined: there are none */
type Counted<Value> = [Dimension, (value: Value) => string[] | undefined];

const lower = (id: string) => id.toLowerCase();
const one = (value: string) => [value];

/**
 * The meaning of each condition of a filter for segments. `beside`: their sums are kept by time and status, whatever
 * the other conditions are. `uncounted`: no dimension is about it.
 */
const CONDITIONS: {
  [Name in keyof CallFilter]: 'beside' | 'uncounted' | Counted<NonNullable<CallFilter[Name]>>;
} = {
  workspaceId: 'beside',
  createdFrom: 'beside',
  createdUntil: 'beside',
  statuses: 'beside',
  agentsInScope: ['agent', (ids) => ids.map(lower)],
  agentId: ['agent', (id) => [lower(id)]],
  agentVersion: ['agent_version', (version) => [String(version)]],
  campaignId: ['campaign', (id) => [lower(id)]],
  reasons: ['disconnect_reason', (reasons) => reasons],
  direction: ['direction', one],
  channel: ['channel', one],
  callType: ['call_type', one],
  // A longer outcome is counted by its beginning, which other outcomes may share.
  outcome: ['outcome', (outcome) => ([...outcome].length < COUNTED_OUTCOME_LENGTH ? [outcome] : undefined)],
  workerId: ['worker', one],
  durationMin: ['duration', (min) => durationValues(min, null)],
  durationMax: ['duration', (max) => durationValues(null, max)],
  reversedNumber: 'uncounted',
  lastDigits: 'uncounted',
  customerName: 'uncounted',
  externalId: 'uncounted',
  findings: 'uncounted',
};

/** Whether a filter has no other conditions than times and statuses. */
const isForAll = (filter: CallFilter) => getCountedValues(filter)?.dimension === 'all';

/** Whether a filter has a condition on durations, and otherwise only on times and statuses. */
export const isForDurations = (filter: CallFilter) =>
  (filter.durationMin !== null || filter.durationMax !== null) &&
  isForAll({ ...filter, durationMin: null, durationMax: null });

/** Whether a filter has a condition on a number, and otherwise only on times and statuses. */
export const isForNumber = (filter: CallFilter) =>
  filter.reversedNumber !== null && isForAll({ ...filter, reversedNumber: null, lastDigits: null });

/** @returns undefined if no dimension counts calls by a condition of the filter, apart from times and statuses */
export function getCountedValues(filter: CallFilter): CountedValues | undefined {
  const counted = new Map<Dimension, string[]>();
  for (const [name, value] of Object.entries(filter)) {
    const condition = CONDITIONS[name as keyof CallFilter] as Counted<unknown> | string | undefined;
    if (value === null || condition === 'beside') continue;
    const values = Array.isArray(condition) ? condition[1](value) : undefined;
    if (!Array.isArray(condition) || !values) return undefined;
    const [dimension] = condition;
    counted.set(dimension, counted.get(dimension)?.filter((other) => values.includes(other)) ?? values);
  }
  const [agents, versions] = [counted.get('agent'), counted.get('agent_version')];
  if (agents && versions && counted.size === 2) {
    const values = agents.flatMap((id) => versions.map((version) => versionValue(id, Number(version))));
    return { dimension: 'agent_version', values };
  }
  const [first, second] = counted;
  if (second) return undefined;
  const [dimension, values] = first ?? ['all', null];
  return { dimension, values };
}
