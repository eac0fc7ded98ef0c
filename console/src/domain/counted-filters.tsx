import { keepPreviousData, useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../api/client';
import { type SeriesQuery, useSeries } from '../api/series';
import { texts } from '../texts';
import { ChoiceList, type ChoiceListProps, type ListChoice } from '../ui/choice-list';
import type { Filter } from '../ui/filters/filter-bar';
import { getTerm } from './term';

const { fields } = texts.calls;

const GROUPS = { agent_id: 'agent', campaign_id: 'campaign', outcome: 'outcome' } as const;

type CountedName = keyof typeof GROUPS;

/** A series has the first 100 characters of an outcome. */
const MAX_COUNTED_LENGTH = 100;

/** The longest texts that the API accepts. */
const MAX_LENGTHS = { agent_id: 200, campaign_id: 200, outcome: 2_000 };

function AgentName({ id }: { id: string }) {
  const agent = api.useQuery('get', '/api/agents/{agent_id}', { params: { path: { agent_id: id } } });
  if (agent.isError) return texts.agents.unknown(id.slice(-4));
  return agent.data?.data[0]?.name ?? texts.common.loading;
}

function CampaignName({ id }: { id: string }) {
  const params = { path: { campaign_id: id } };
  const campaign = api.useQuery('get', '/api/campaign/{campaign_id}', { params });
  if (campaign.isError) return texts.agents.unknown(id.slice(-4));
  return campaign.data?.data.campaignName ?? texts.common.loading;
}

interface Props extends ChoiceListProps {
  name: CountedName;
  /** The calls that are counted. The filter itself does not narrow them. */
  query: SeriesQuery;
}

const SHOWN = 100;

/** The agents or campaigns that a text finds, also those without calls. */
function useFound(name: CountedName, search: string): ListChoice[] {
  const query = { limit: SHOWN, search: search || undefined };
  const agents = api.useQuery(
    'get',
    '/api/agents',
    { params: { query: { ...query, sortBy: 'name', sortOrder: 'asc' } } },
    { enabled: name === 'agent_id', placeholderData: keepPreviousData },
  );
  const campaigns = api.useQuery(
    'get',
    '/api/campaign',
    { params: { query } },
    { enabled: name === 'campaign_id', placeholderData: keepPreviousData },
  );
  return [
    ...(agents.data?.data ?? []).map(({ id, name: label }) => ({ value: id, label })),
    ...(campaigns.data?.data ?? []).map(({ campaign_id, campaignName }) => ({
      value: campaign_id,
      label: campaignName,
    })),
  ];
}

/** The values of calls, those with the most calls first. One request reads their names and counts. */
function CountedChoices({ name, query, ...list }: Props) {
  const [search, setSearch] = useState('');
  const group = GROUPS[name];
  const { data, error, isPending } = useSeries({
    ...{ ...query, [name]: undefined },
    interval: 'month',
    group_by: group,
  });
  const counts = new Map<string | null, number>();
  for (const { key, calls } of data?.buckets.flatMap(({ groups }) => groups) ?? [])
    counts.set(key, (counts.get(key) ?? 0) + calls);
  const counted = (data?.groups ?? []).flatMap(({ key, label }) =>
    // Longer outcomes are counted by their beginning, which no filter finds.
    key && key.length < MAX_COUNTED_LENGTH
      ? [{ value: key, label: group === 'outcome' ? getTerm(key) : (label ?? key), count: counts.get(key) }]
      : [],
  );
  // They come with the counts, because a choice that moves is easily missed.
  const others = useFound(name, search)
    .filter(({ value }) => !isPending && !counts.has(value))
    .map((choice) => ({ ...choice, count: data && 0 }));
  return (
    <ChoiceList
      {...list}
      choices={[...counted, ...others]}
      isFree={group === 'outcome'}
      maxLength={MAX_LENGTHS[name]}
      onSearch={setSearch}
      status={isPending ? texts.common.loading : error?.message}
    />
  );
}

const create = (name: CountedName, query: SeriesQuery, renderValue: Filter['renderValue']): Filter => ({
  name,
  label: fields[name],
  renderValue,
  renderChoices: (list) => <CountedChoices {...{ name, query }} {...list} />,
});

/** The agents that the session is limited to. */
function AgentsInScope({ ids, ...list }: ChoiceListProps & { ids: string[] }) {
  const agents = useQueries({
    queries: ids.map((agent_id) =>
      api.queryOptions('get', '/api/agents/{agent_id}', { params: { path: { agent_id } } }),
    ),
  });
  const choices = ids.map((value, index) => ({
    value,
    label: agents[index]?.data?.data[0]?.name ?? texts.agents.unknown(value.slice(-4)),
  }));
  return <ChoiceList {...list} choices={choices} />;
}

/**
 * The filters by agent, campaign and outcome, whose choices have counts of calls.
 * @param query the filters of the page
 * @param agentIds the agents that the session is limited to, which may not read counts: campaigns and outcomes are typed
 */
export function listCountedFilters(query: SeriesQuery, agentIds?: string[]): Record<CountedName, Filter> {
  const agent = create('agent_id', query, (id) => id && <AgentName id={id} />);
  if (agentIds)
    return {
      agent_id: { ...agent, renderChoices: (list) => <AgentsInScope ids={agentIds} {...list} /> },
      campaign_id: { name: 'campaign_id', label: fields.campaign_id },
      outcome: { name: 'outcome', label: fields.outcome },
    };
  return {
    agent_id: agent,
    campaign_id: create('campaign_id', query, (id) => id && <CampaignName id={id} />),
    outcome: create('outcome', query, getTerm),
  };
}
