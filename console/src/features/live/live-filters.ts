import type { Filter } from '../../ui/filters/filter-bar';
import { texts } from '../../texts';
import { type Call, IN_PROGRESS } from './in-progress';
import { FILTERS, filterCalls, GROUPS, NO_CAMPAIGN } from './view';

const labels = texts.live;

/** The choices of a filter with their numbers of calls, by name. The chosen one is there even without calls. */
function listChoices(counts: Map<string, number>, chosen: string | null, getName: (value: string) => string) {
  const values = new Set([...counts.keys(), ...(chosen ? [chosen] : [])]);
  return [...values]
    .map((value) => ({ value, name: getName(value) }))
    .sort((left, right) => left.name.localeCompare(right.name))
    .map(({ value, name }) => ({ value, label: name, count: counts.get(value) ?? 0 }));
}

interface Names {
  agent: (id: string) => string;
  campaign: (id: string) => string;
}

/** The filters of the live calls. Each choice has the number of calls that it would find with the other filters. */
export function listFilters(calls: Call[], parameters: URLSearchParams, names: Names): Filter[] {
  const count = (name: (typeof FILTERS)[number], getValue: (call: Call) => string) => {
    const counts = new Map<string, number>();
    for (const call of filterCalls(calls, parameters, name)) {
      const value = getValue(call);
      counts.set(value, (counts.get(value) ?? 0) + 1);
    }
    return counts;
  };
  const statuses = count('status', ({ status }) => status);
  return [
    {
      name: 'agent_id',
      label: texts.calls.fields.agent_id,
      choices: listChoices(
        count('agent_id', ({ agent }) => agent.id),
        parameters.get('agent_id'),
        names.agent,
      ),
    },
    {
      name: 'campaign_id',
      label: texts.calls.fields.campaign_id,
      choices: listChoices(
        count('campaign_id', ({ campaign_id }) => campaign_id ?? NO_CAMPAIGN),
        parameters.get('campaign_id'),
        names.campaign,
      ),
    },
    {
      name: 'status',
      label: texts.calls.fields.status,
      choices: IN_PROGRESS.map((status) => ({
        value: status,
        label: texts.status[status],
        count: statuses.get(status) ?? 0,
      })),
    },
    {
      name: 'group_by',
      label: labels.groupBy,
      choices: [
        { value: '', label: labels.ungrouped },
        ...GROUPS.map((group) => ({ value: group, label: labels.groups[group] })),
      ],
      usual: '',
    },
  ];
}
