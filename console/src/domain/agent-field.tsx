import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, type Schemas } from '../api/client';
import { texts } from '../texts';
import { SelectField, TextField } from '../ui/fields';

const SHOWN = 100;

type Agent = Schemas['AgentSummaryDto'];

interface Props {
  /** The id of the chosen agent; '': none. */
  value: string;
  /** The label of the choice of no agent. */
  any: string;
  help?: string | false;
  problem?: string;
  required?: boolean;
  onChange: (id: string, agent: Agent | undefined) => void;
}

/** A field that chooses an agent of the workspace. It has a search if there are more agents than it lists. */
export function AgentField({ value, onChange, ...rest }: Props) {
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
  // The chosen agent stays in the list, even if the search does not match it or it was deleted.
  const isElsewhere = value !== '' && !agents.isPending && !found.some(({ id }) => id === value);
  const chosen = api.useQuery(
    'get',
    '/api/agents/{agent_id}',
    { params: { path: { agent_id: value } } },
    { enabled: isElsewhere },
  );
  const getName = () =>
    chosen.data?.data[0]?.name ??
    (chosen.isError ? texts.agents.unknown(value.slice(-4)) : texts.common.loading);
  const choices = found.map(({ id, name }) => ({ value: id, label: name }));
  if (isElsewhere || (value && agents.isPending)) choices.unshift({ value, label: getName() });
  const isLong = search !== '' || (agents.data?.pagination.total ?? 0) > SHOWN;
  return (
    <>
      {isLong && (
        <TextField
          label={texts.agents.find}
          type="search"
          value={search}
          maxLength={200}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      <SelectField
        {...rest}
        label={texts.agents.one}
        choices={choices}
        value={value}
        onChange={({ target }) =>
          onChange(
            target.value,
            found.find(({ id }) => id === target.value),
          )
        }
      />
    </>
  );
}
