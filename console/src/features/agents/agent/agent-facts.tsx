import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { Button } from '../../../ui/button';
import { Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { durationText } from '../../../ui/moment';
import { TimeText } from '../../../ui/time-text';
import { texts } from '../../../texts';
import { AssignNumberDialog } from './assign-number-dialog';
import { Creator } from './creator';
import { Share } from '../share';
import styles from './agent.module.css';

const { facts } = texts.agent;

interface Props {
  agent: Schemas['AgentDto'];
  number: Pick<UseQueryResult<string | undefined, unknown>, 'data' | 'refetch'>;
  isReadOnly: boolean;
}

/** The facts about an agent that its form does not edit, such as its phone number. */
export function AgentFacts({ agent, number, isReadOnly }: Props) {
  const [isAssigning, setAssigning] = useState(false);
  const { stats, deployment } = agent;
  const connected = Math.round((stats.successRate ?? 0) * (stats.totalCalls ?? 0));
  return (
    <Section
      title={texts.agent.glance}
      actions={
        !isReadOnly && (
          <Button needs="administer" onClick={() => setAssigning(true)}>
            {texts.agent.assignNumber}
          </Button>
        )
      }
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
            value: <Share part={connected} whole={stats.totalCalls ?? 0} />,
          },
          {
            name: facts.duration,
            value: stats.avgCallDuration ? durationText(stats.avgCallDuration) : texts.common.none,
          },
          { name: facts.lastCall, value: stats.lastCallAt && <TimeText at={stats.lastCallAt} /> },
        ]}
      />
      <details className={styles.details}>
        <summary>{texts.agent.details}</summary>
        <Facts
          facts={[
            { name: facts.country, value: agent.countryName },
            { name: facts.widget, value: agent.widget && texts.common.yes },
            { name: facts.created, value: <TimeText at={agent.createdAt} /> },
            { name: facts.updated, value: <TimeText at={agent.updatedAt} /> },
            { name: facts.creator, value: <Creator agentId={agent._id} /> },
            { name: facts.id, value: <code>{agent._id}</code> },
          ]}
        />
      </details>
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
