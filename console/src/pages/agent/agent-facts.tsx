import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { Facts } from '../../components/facts';
import { Section } from '../../components/page';
import { durationText, TimeText } from '../../components/time-text';
import { texts } from '../../texts';
import { AssignNumberDialog } from './assign-number-dialog';
import { Share } from '../agents/share';

const { facts } = texts.agent;

interface Props {
  agent: Schemas['AgentDto'];
  number: Pick<UseQueryResult<string | undefined, unknown>, 'data' | 'refetch'>;
  isReadOnly: boolean;
}

/** What is not edited: the number, which is assigned, and what the server says. */
export function AgentFacts({ agent, number, isReadOnly }: Props) {
  const [isAssigning, setAssigning] = useState(false);
  const { stats, deployment } = agent;
  return (
    <Section
      title={texts.agent.glance}
      actions={!isReadOnly && <Button onClick={() => setAssigning(true)}>{texts.agent.assignNumber}</Button>}
    >
      <Facts
        facts={[
          { name: facts.number, value: number.data === '' ? texts.agent.noNumber : number.data },
          {
            name: facts.version,
            value: isReadOnly ? (
              deployment.version
            ) : (
              <Link href={`/agents/${agent._id}/versions`}>{deployment.version}</Link>
            ),
          },
          { name: facts.calls, value: stats.totalCalls?.toLocaleString() },
          {
            name: facts.connected,
            value: <Share part={stats.successRate ?? 0} whole={stats.totalCalls ? 1 : 0} />,
          },
          { name: facts.duration, value: durationText(stats.avgCallDuration ?? 0) },
          { name: facts.lastCall, value: stats.lastCallAt && <TimeText at={stats.lastCallAt} /> },
          { name: facts.country, value: agent.countryName },
          { name: facts.widget, value: agent.widget && texts.common.yes },
          { name: facts.created, value: <TimeText at={agent.createdAt} /> },
          { name: facts.updated, value: <TimeText at={agent.updatedAt} /> },
          { name: facts.creator, value: <code>{agent.userId}</code> },
          { name: facts.id, value: <code>{agent._id}</code> },
        ]}
      />
      {isAssigning && (
        <AssignNumberDialog
          agentId={agent._id}
          onAssigned={() => number.refetch()}
          onClose={() => setAssigning(false)}
        />
      )}
    </Section>
  );
}
