import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../../api/client';
import { SelectField, TextField } from '../../components/fields';
import { texts } from '../../texts';

const words = texts.campaigns.new;

const SHOWN = 100;

type Agent = Schemas['AgentSummaryDto'];

interface Props {
  agent: Agent | undefined;
  problem: string | undefined;
  onChange: (agent: Agent | undefined) => void;
}

/** Who calls. A workspace with more agents than a list shows also has a search. */
export function AgentField({ agent, problem, onChange }: Props) {
  const [search, setSearch] = useState('');
  const query = {
    limit: SHOWN,
    sortBy: 'name' as const,
    sortOrder: 'asc' as const,
    search: search || undefined,
  };
  const agents = api.useQuery(
    'get',
    '/api/agents',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const found = agents.data?.data ?? [];
  // What is chosen stays, whatever is searched for.
  const shown = agent && !found.some(({ id }) => id === agent.id) ? [agent, ...found] : found;
  const isLong = search !== '' || (agents.data?.pagination.total ?? 0) > SHOWN;
  return (
    <>
      {isLong && (
        <TextField
          label={words.agentSearch}
          type="search"
          value={search}
          maxLength={200}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <SelectField
        label={words.agent}
        help={agent && !agent.status && words.agentOff}
        problem={problem}
        required
        any={words.chooseAgent}
        choices={shown.map(({ id, name }) => ({ value: id, label: name }))}
        value={agent?.id ?? ''}
        onChange={({ target }) => onChange(shown.find(({ id }) => id === target.value))}
      />
    </>
  );
}
