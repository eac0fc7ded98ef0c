import { useState } from 'react';
import { useLocation, useParams } from 'wouter';
import { api, client } from '../../../api/client';
import { Button } from '../../../ui/button';
import { ConfirmDialog } from '../../../ui/confirm-dialog';
import { Facts } from '../../../ui/facts';
import { Loaded } from '../../../ui/loaded';
import { Page, Section } from '../../../ui/page';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import { isBeingRead, StateOfSources } from '../state-of';
import { NotFound } from '../../../ui/not-found';
import { AssignedAgents } from './assigned-agents';
import { SearchSection } from './search-section';
import { SourceTable } from './source-table';

const POLL_MS = 2_000;

const labels = texts.knowledge;

export default function KnowledgeBasePage() {
  const { id = '' } = useParams();
  const [, navigate] = useLocation();
  const [isDeleting, setDeleting] = useState(false);
  const base = api.useQuery(
    'get',
    '/api/knowledge-base',
    { params: { query: { kb_id: id } } },
    { refetchInterval: ({ state: { data } }) => (data?.data.some(isBeingRead) ? POLL_MS : false) },
  );
  const agents = api.useQuery('get', '/api/agents', { params: { query: { kb_id: id, limit: 100 } } });
  const [found] = base.data?.data ?? [];
  if (base.isSuccess && !found) return <NotFound />;
  return (
    <Page
      title={found?.name ?? labels.short}
      actions={
        found && (
          <>
            <span role="status">
              <StateOfSources sources={found.sources} />
            </span>
            <Button needs="administer" variant="danger" onClick={() => setDeleting(true)}>
              {labels.delete}
            </Button>
          </>
        )
      }
    >
      <Loaded query={base}>
        {({ data: [shown] }) =>
          shown && (
            <>
              {shown.description && <p>{shown.description}</p>}
              <SourceTable id={id} sources={shown.sources} onChanged={() => base.refetch()} />
              <AssignedAgents id={id} agents={agents} />
              <SearchSection id={id} />
              <Section title={labels.details}>
                <Facts
                  facts={[
                    { name: labels.created, value: <TimeText at={shown.createdAt} /> },
                    { name: labels.columns.updated, value: <TimeText at={shown.updatedAt} /> },
                    { name: labels.id, value: <code>{shown._id}</code> },
                  ]}
                />
              </Section>
            </>
          )
        }
      </Loaded>
      {isDeleting && found && (
        <ConfirmDialog
          title={labels.deleteTitle(found.name)}
          text={labels.deleteText(found.name, found.sources.length, agents.data?.pagination.total ?? 0)}
          action={labels.delete}
          run={async () => {
            await client.DELETE('/api/knowledge-base/{kb_id}', { params: { path: { kb_id: id } } });
            navigate('/knowledge');
          }}
          onClose={() => setDeleting(false)}
        />
      )}
    </Page>
  );
}
