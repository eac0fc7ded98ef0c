import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schemas } from '../../../api/client';
import { CallDuration } from '../../../domain/call-duration';
import { figureFacts, latencyFacts, measureLatency, usageFacts } from '../../../domain/call-performance';
import { CallStatus } from '../../../domain/call-status';
import { getTerm } from '../../../domain/term';
import { texts } from '../../../texts';
import { TimeText } from '../../../ui/time-text';
import type { Turn } from '../../../domain/turns';

/** A fact about a call. */
export interface ComparedFact {
  name: string;
  value: ReactNode;
  /** The part that is compared, if it is not the value. */
  key?: string | number;
}

const { facts: names } = texts.call;

const secondsBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 1_000;

/** The facts by which calls are compared, in their order. Those without a value are left out. */
export function listFacts(call: Schemas['CallDetailDto'], turns: Turn[]): ComparedFact[] {
  const analysis = call.analysis ?? {};
  const latency = measureLatency(turns);
  const { connected_at, created_at } = call;
  const facts: ComparedFact[] = [
    {
      name: names.agent,
      value: <Link href={`/agents/${call.agent.id}`}>{call.agent.name}</Link>,
      key: call.agent.id,
    },
    { name: names.version, value: call.agent_version },
    { name: texts.calls.columns.status, value: <CallStatus status={call.status} />, key: call.status },
    { name: names.outcome, value: call.outcome && getTerm(call.outcome) },
    { name: names.reason, value: call.disconnect_reason && getTerm(call.disconnect_reason) },
    { name: names.created, value: <TimeText at={created_at} hasSeconds />, key: created_at },
    {
      name: texts.compare.untilConnected,
      value: connected_at && texts.common.seconds(secondsBetween(created_at, connected_at).toFixed(1)),
    },
    {
      name: names.duration,
      value: connected_at && <CallDuration call={call} />,
      key: call.duration_sec,
    },
    ...latencyFacts(latency),
    { name: texts.compare.turns, value: turns.length || undefined },
    ...figureFacts(analysis, latency !== undefined),
    { name: names.charge, value: call.ended_at && call.charge },
    ...usageFacts(analysis),
  ];
  return facts.filter(({ value }) => value !== undefined && value !== null && value !== '');
}
