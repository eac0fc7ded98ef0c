import { AgentField } from '../../../domain/agent-field';
import { CampaignField } from '../../../domain/campaign-field';
import { OutcomeField } from '../../../domain/outcome-field';
import { getTerm } from '../../../domain/term';
import { useIsScoped } from '../../../session/session';
import { texts } from '../../../texts';
import type { Filter } from '../../../ui/filters/filter-form';
import { CALL_TYPES, DIRECTIONS, REASONS, STATUSES } from './choices';

const { fields } = texts.calls;
const { any } = texts.filters;

const toChoices = (values: readonly string[], label = getTerm) =>
  values.map((value) => ({ value, label: label(value) }));

const create = (name: keyof typeof fields, more: Partial<Filter> = {}): Filter => ({
  name,
  label: fields[name],
  ...more,
});

const isRare = true;
const isMultiple = true;

const getStatusText = (status: string) => texts.status[status as keyof typeof texts.status];

const AGENT = create('agent_id', {
  render: (value, onApply) => <AgentField {...{ value, any }} onChange={(id) => onApply(id)} />,
});

const CAMPAIGN = create('campaign_id', {
  isRare,
  render: (value, onApply) => <CampaignField {...{ value, any }} onChange={onApply} />,
});

const OUTCOME = create('outcome', {
  render: (value, onApply) => <OutcomeField {...{ value, onApply }} />,
});

/** The fields for all filters of the API. A scoped credential lists no agents and campaigns; their ids are typed then. */
export function useCallFilters(): Filter[] {
  const isScoped = useIsScoped();
  return [
    create('number'),
    create('customer_name'),
    create('status', { choices: toChoices(STATUSES, getStatusText), isMultiple }),
    create('disconnect_reason', { choices: toChoices(REASONS), isMultiple }),
    isScoped ? create('agent_id') : AGENT,
    OUTCOME,
    create('start_date', { type: 'datetime-local' }),
    create('end_date', { type: 'datetime-local' }),
    create('direction', { choices: toChoices(DIRECTIONS), isRare }),
    create('call_type', { choices: toChoices(CALL_TYPES), isRare }),
    create('channel', { isRare }),
    create('external_id', { isRare }),
    isScoped ? create('campaign_id', { isRare }) : CAMPAIGN,
    create('agent_version', { type: 'number', isRare }),
    create('worker_id', { isRare }),
    create('duration_min', { type: 'number', isRare }),
    create('duration_max', { type: 'number', isRare }),
  ];
}
