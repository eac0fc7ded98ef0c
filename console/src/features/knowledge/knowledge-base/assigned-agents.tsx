import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { client, type Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { FailureNotice } from '../../../ui/failure-notice';
import { focusHeading } from '../../../ui/focus-heading';
import { Loaded } from '../../../ui/loaded';
import { Section } from '../../../ui/page';
import { Table } from '../../../ui/table/table';
import { texts } from '../../../texts';
import { AssignDialog } from './assign-dialog';

type Agent = Schemas['AgentSummaryDto'];

interface Props {
  id: string;
  agents: UseQueryResult<{ data: Agent[]; pagination: Schemas['Pagination'] }, unknown>;
}

const labels = texts.knowledge;

/** The agents to which the knowledge base is assigned, with buttons to add and remove them. */
export function AssignedAgents({ id, agents }: Props) {
  const [isAssigning, setAssigning] = useState(false);
  const unassign = useMutation({
    mutationFn: async (agentId: string) => {
      await client.POST('/api/agents/knowledge-bases/{kb_id}/unassign', {
        params: { path: { kb_id: id } },
        body: { assistant_ids: [agentId] },
      });
      await agents.refetch();
    },
    onSuccess: focusHeading,
  });
  return (
    <Section
      title={labels.agents}
      actions={
        <Button needs="administer" onClick={() => setAssigning(true)}>
          {labels.assign}
        </Button>
      }
    >
      {unassign.isError && <FailureNotice error={unassign.error} />}
      <Loaded query={agents}>
        {({ data, pagination }) => (
          <>
            <Table<Agent>
              caption={labels.agents}
              rows={data}
              rowKey={(agent) => agent.id}
              empty={labels.noAgents}
              columns={[
                {
                  key: 'name',
                  header: labels.agent,
                  cell: (agent) => <Link href={`/agents/${agent.id}`}>{agent.name}</Link>,
                },
                { key: 'type', header: texts.agents.type, cell: ({ type }) => texts.agents.types[type] },
                {
                  key: 'act',
                  header: texts.versions.columns.act,
                  phone: 'act',
                  cell: (agent) => (
                    <Button
                      needs="administer"
                      variant="quiet"
                      aria-label={labels.unassignNamed(agent.name)}
                      isBusy={unassign.isPending && unassign.variables === agent.id}
                      onClick={() => unassign.mutate(agent.id)}
                    >
                      {labels.unassign}
                    </Button>
                  ),
                  align: 'end',
                },
              ]}
            />
            {pagination.total > data.length && <p>{texts.common.total(pagination.total)}</p>}
          </>
        )}
      </Loaded>
      {isAssigning && (
        <AssignDialog
          id={id}
          assigned={agents.data?.data ?? []}
          onAssigned={() => agents.refetch()}
          onClose={() => setAssigning(false)}
        />
      )}
    </Section>
  );
}
