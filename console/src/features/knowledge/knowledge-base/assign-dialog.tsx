import { keepPreviousData, useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { FailureNotice } from '../../../ui/failure-notice';
import { TextField } from '../../../ui/fields';
import { texts } from '../../../texts';
import styles from './knowledge-base.module.css';

interface Props {
  id: string;
  assigned: Schemas['AgentSummaryDto'][];
  onAssigned: () => Promise<unknown>;
  onClose: () => void;
}

const labels = texts.knowledge;

/** Finds agents by their name and gives them the knowledge base. */
export function AssignDialog({ id, assigned, onAssigned, onClose }: Props) {
  const [search, setSearch] = useState('');
  const query = {
    limit: 10,
    search: search || undefined,
    sortBy: 'name' as const,
    sortOrder: 'asc' as const,
  };
  const found = api.useQuery(
    'get',
    '/api/agents',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const assign = useMutation({
    mutationFn: async (agentId: string) => {
      await client.POST('/api/agents/knowledge-bases/{kb_id}/assign', {
        params: { path: { kb_id: id } },
        body: { assistant_ids: [agentId] },
      });
      await onAssigned();
    },
    onSuccess: onClose,
  });
  const others = (found.data?.data ?? []).filter((agent) => !assigned.some((one) => one.id === agent.id));
  return (
    <Dialog title={labels.assign} onClose={onClose}>
      <TextField
        label={labels.agentSearch}
        type="search"
        value={search}
        maxLength={200}
        autoFocus
        onChange={({ target }) => setSearch(target.value)}
      />
      <ul className={styles.choices} aria-label={labels.agent}>
        {others.map((agent) => (
          <li key={agent.id}>
            <Button
              isBusy={assign.isPending && assign.variables === agent.id}
              onClick={() => assign.mutate(agent.id)}
            >
              {agent.name}
            </Button>
          </li>
        ))}
      </ul>
      {found.isSuccess && others.length === 0 && <p>{labels.noOtherAgents}</p>}
      {found.isError && <FailureNotice error={found.error} />}
      {assign.isError && <FailureNotice error={assign.error} />}
    </Dialog>
  );
}
