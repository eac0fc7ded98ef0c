import { keepPreviousData } from '@tanstack/react-query';
import { type KeyboardEvent, useState } from 'react';
import { Link } from 'wouter';
import { api } from '../../../api/client';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { TextField } from '../../../ui/fields';
import { texts } from '../../../texts';
import { KnowledgeBaseName } from './knowledge-base-name';
import styles from './agent.module.css';

interface Props {
  agentId: string;
  /** The ids of the chosen knowledge bases, one per line. */
  text: string;
  isReadOnly: boolean;
  onChange: (text: string) => void;
}

const labels = texts.agent.knowledge;

/** The knowledge bases of the agent, and a search for more. */
export function KnowledgeField({ agentId, text, isReadOnly, onChange }: Props) {
  const [search, setSearch] = useState('');
  const ids = text.split('\n').filter(Boolean);
  const assignedQuery = { limit: 100, agent_id: agentId };
  const assigned = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query: assignedQuery } },
    { enabled: !isReadOnly && ids.length > 0 },
  );
  const found = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query: { limit: 10, search: search || undefined, sortBy: 'name', sortOrder: 'asc' } } },
    { enabled: !isReadOnly, placeholderData: keepPreviousData },
  );
  const names = new Map(
    [...(assigned.data?.data ?? []), ...(found.data?.data ?? [])].map(({ _id, name }) => [_id, name]),
  );
  const others = (found.data?.data ?? []).filter(({ _id }) => !ids.includes(_id));
  const stay = (event: KeyboardEvent) => {
    if (event.key === 'Enter') event.preventDefault();
  };
  return (
    <div className={styles.knowledge}>
      {ids.length === 0 && <p className={styles.muted}>{labels.none}</p>}
      <ul className={styles.chips} aria-label={labels.label}>
        {ids.map((id) => (
          <li key={id}>
            <Link href={`/knowledge/${id}`}>
              <KnowledgeBaseName
                id={id}
                name={names.get(id)}
                mayRequest={assigned.isSuccess && !isReadOnly}
              />
            </Link>
            {!isReadOnly && (
              <Button
                variant="quiet"
                aria-label={labels.remove(names.get(id) ?? id)}
                onClick={() => onChange(ids.filter((other) => other !== id).join('\n'))}
              >
                ✕
              </Button>
            )}
          </li>
        ))}
      </ul>
      {!isReadOnly && (
        <>
          <TextField
            label={labels.find}
            type="search"
            value={search}
            maxLength={200}
            onChange={({ target }) => setSearch(target.value)}
            onKeyDown={stay}
          />
          {found.isError && <FailureNotice error={found.error} retry={() => void found.refetch()} />}
          {found.isSuccess && others.length === 0 && <p className={styles.muted}>{labels.noMore}</p>}
          <div className={styles.chips}>
            {others.map(({ _id, name }) => (
              <Button key={_id} onClick={() => onChange([...ids, _id].join('\n'))}>
                <span aria-hidden="true">+</span> <span className="visually-hidden">{labels.add(name)}</span>
                <span aria-hidden="true">{name}</span>
              </Button>
            ))}
          </div>
        </>
      )}
    </div>
  );
}
