import type { SeriesQuery } from '../../../api/series';
import { listCountedFilters } from '../../../domain/counted-filters';
import { getTerm } from '../../../domain/term';
import { listAgentsInScope } from '../../../session/scopes';
import { useSession } from '../../../session/session';
import { texts } from '../../../texts';
import type { Filter } from '../../../ui/filters/filter-bar';
import { CALL_TYPES, DIRECTIONS, REASONS, STATUSES } from './choices';

const { fields } = texts.calls;

const toChoices = (values: readonly string[], label = getTerm) =>
  values.map((value) => ({ value, label: label(value) }));

const create = (name: keyof typeof fields, more: Partial<Filter> = {}): Filter => ({
  name,
  label: fields[name],
  ...more,
});

const isMultiple = true;

const getStatusText = (status: string) => texts.status[status as keyof typeof texts.status];

/** All filters of the API but the period, the most frequent first. @param query the filters that are set */
export function useCallFilters(query: SeriesQuery): Filter[] {
  const counted = listCountedFilters(query, listAgentsInScope(useSession().data?.scopes));
  return [
    create('status', { choices: toChoices(STATUSES, getStatusText), isMultiple }),
    counted.agent_id,
    counted.campaign_id,
    counted.outcome,
    create('disconnect_reason', { choices: toChoices(REASONS), isMultiple }),
    create('customer_name'),
    create('number'),
    create('direction', { choices: toChoices(DIRECTIONS) }),
    create('call_type', { choices: toChoices(CALL_TYPES) }),
    create('duration_min', { type: 'number' }),
    create('duration_max', { type: 'number' }),
    create('agent_version', { type: 'number' }),
    create('channel'),
    create('external_id'),
    create('worker_id'),
  ];
}
