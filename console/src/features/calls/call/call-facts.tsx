import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { Facts } from '../../../ui/facts';
import { TimeText } from '../../../ui/time-text';
import { useIsScoped } from '../../../session/session';
import { CallDuration } from '../../../domain/call-duration';
import { PersonLink } from '../../../domain/person-link';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';

const { facts } = texts.call;

/** The number of a side; that of the person leads to the page of the person. */
const getParty = (number: string, isPerson: boolean) =>
  number && isPerson ? <PersonLink number={number} /> : number;

/** The person and the agent of a call, and what came of it. */
export function CallFacts({ call }: { call: Schemas['CallDetailDto'] }) {
  // A credential with scopes may not list the versions.
  const isScoped = useIsScoped();
  return (
    <Facts
      facts={[
        { name: facts.person, value: call.customer_name },
        { name: facts.to, value: getParty(call.to_number, call.direction === 'outbound') },
        { name: facts.from, value: getParty(call.from_number, call.direction === 'inbound') },
        {
          name: facts.agent,
          value: <Link href={`/agents/${call.agent.id}`}>{call.agent.name}</Link>,
        },
        {
          name: facts.version,
          value: isScoped ? (
            call.agent_version
          ) : (
            <Link href={`/agents/${call.agent.id}/versions`}>{call.agent_version}</Link>
          ),
        },
        {
          name: facts.campaign,
          value: call.campaign && (
            <Link href={`/campaigns/${call.campaign.id as string}`}>{String(call.campaign.name)}</Link>
          ),
        },
        { name: facts.created, value: <TimeText at={call.created_at} /> },
        { name: facts.duration, value: call.connected_at && <CallDuration call={call} /> },
        { name: facts.charge, value: call.ended_at && String(call.charge) },
        { name: facts.reason, value: call.disconnect_reason && getTerm(call.disconnect_reason) },
        { name: facts.outcome, value: call.outcome && getTerm(call.outcome) },
        { name: facts.compliance, value: call.metadata.process_compliance },
        { name: facts.attempt, value: call.attempt > 1 && call.attempt },
      ]}
    />
  );
}

/** The ids of a call, and the exact times of its states. */
export const TechnicalFacts = ({ call }: { call: Schemas['CallDetailDto'] }) => (
  <Facts
    facts={[
      { name: facts.created, value: <TimeText at={call.created_at} hasSeconds /> },
      { name: facts.connected, value: call.connected_at && <TimeText at={call.connected_at} hasSeconds /> },
      { name: facts.ended, value: call.ended_at && <TimeText at={call.ended_at} hasSeconds /> },
      { name: facts.worker, value: call.worker_id },
      { name: facts.channel, value: call.channel },
      { name: facts.externalId, value: call.external_id },
      { name: facts.memoryId, value: call.memory_id },
      { name: facts.id, value: <code>{call.call_id}</code> },
    ]}
  />
);
