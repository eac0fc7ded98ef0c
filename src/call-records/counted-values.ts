import { type Dimension, durationValues, versionValue } from '../calls/call-dimensions';
import type { CallFilter } from './call-filter';

/** The values by which the calls of segments are counted that match a filter. */
export interface CountedValues {
  dimension: Dimension;
  /** null: all; a number alone is a version of any agent */
  values: string[] | null;
}

const list = (value: string | null) => (value === null ? null : [value]);

/** The agents that both the scopes and the filter name; null: all */
function agentsOf({ agentId, agentsInScope }: CallFilter): string[] | null {
  const asked = list(agentId?.toLowerCase() ?? null);
  const inScope = agentsInScope?.map((id) => id.toLowerCase()) ?? null;
  return asked && inScope ? asked.filter((id) => inScope.includes(id)) : (asked ?? inScope);
}

/** Whether a filter has no other conditions than times and statuses. */
const isForAll = (filter: CallFilter) => countedValuesOf(filter)?.dimension === 'all';

/** Whether a filter asks for durations, and beside them for times and statuses alone. */
export const isForDurations = (filter: CallFilter) =>
  (filter.durationMin !== null || filter.durationMax !== null) &&
  isForAll({ ...filter, durationMin: null, durationMax: null });

/** Whether a filter asks for a number, and beside it for times and statuses alone. */
export const isForNumber = (filter: CallFilter) =>
  filter.reversedNumber !== null && isForAll({ ...filter, reversedNumber: null });

/** undefined: calls are not counted by what the filter asks for, beside times and statuses. */
export function countedValuesOf(filter: CallFilter): CountedValues | undefined {
  const { reversedNumber, customerName, externalId, durationMin, durationMax, agentVersion } = filter;
  if (reversedNumber !== null || customerName !== null || externalId !== null) return undefined;
  const durations =
    durationMin === null && durationMax === null ? null : durationValues(durationMin, durationMax);
  if (durations === undefined) return undefined;
  const agents = agentsOf(filter);
  if (agents && agentVersion !== null) {
    const others = { ...filter, agentId: null, agentsInScope: null, agentVersion: null };
    const values = agents.map((id) => versionValue(id, agentVersion));
    return isForAll(others) ? { dimension: 'agent_version', values } : undefined;
  }
  const asked: [Dimension, string[] | null][] = [
    ['agent', agents],
    ['agent_version', list(agentVersion === null ? null : String(agentVersion))],
    ['campaign', list(filter.campaignId?.toLowerCase() ?? null)],
    ['direction', list(filter.direction)],
    ['channel', list(filter.channel)],
    ['call_type', list(filter.callType)],
    ['disconnect_reason', filter.reasons],
    ['outcome', list(filter.outcome)],
    ['worker', list(filter.workerId)],
    ['duration', durations],
  ];
  const [first, second] = asked.filter(([, values]) => values !== null);
  if (second) return undefined;
  const [dimension, values] = first ?? ['all', null];
  return { dimension, values };
}
