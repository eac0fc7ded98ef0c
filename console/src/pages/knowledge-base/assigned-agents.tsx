import { useMutation, type UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import { client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { FailureNotice } from '../../components/failure-notice';
import { focusHeading } from '../../components/focus-heading';
import { Loaded } from '../../components/loaded';
import { Section } from '../../components/page';
import { Table } from '../../components/table';
import { texts } from '../../texts';
import { AssignDialog } from './assign-dialog';

type Agent = Schemas['AgentSummaryDto'];

interface Props {
  id: string;
  agents: UseQueryResult<{ data: Agent[]; pagination: Schemas['Pagination'] }, unknown>;
}

const words = texts.knowledge;

/** The agents that have the knowledge base, which can be added and removed. */
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
      title={words.agents}
      actions={<Button onClick={() => setAssigning(true)}>{words.assign}</Button>}
    >
      {unassign.isError && <FailureNotice error={unassign.error} />}
      <Loaded query={agents}>
        {({ data, pagination }) => (
          <>
            <Table<Agent>
              caption={words.agents}
              rows={data}
              rowKey={(agent) => agent.id}
              empty={words.noAgents}
              columns={[
                {
                  key: 'name',
                  header: words.agent,
                  cell: (agent) => <Link href={`/agents/${agent.id}`}>{agent.name}</Link>,
                },
                { key: 'type', header: texts.agents.type, cell: ({ type }) => texts.agents.types[type] },
                {
                  key: 'act',
                  header: texts.versions.columns.act,
                  cell: (agent) => (
                    <Button
                      variant="quiet"
                      aria-label={words.unassignOf(agent.name)}
                      isBusy={unassign.isPending && unassign.variables === agent.id}
                      onClick={() => unassign.mutate(agent.id)}
                    >
                      {words.unassign}
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
