import type { Schemas } from '../../../api/client';
import { figureFacts, latencyFacts, measureLatency, usageFacts } from '../../../domain/call-performance';
import { Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';

const labels = texts.performance;

interface Props {
  call: Schemas['CallDetailDto'];
  turns: Schemas['TranscriptTurnDto'][];
}

/** The time in which the agent answered, and the cost of the call, as far as they are known. */
export function Performance({ call, turns }: Props) {
  const analysis = call.analysis ?? {};
  const latency = measureLatency(turns);
  const facts = [
    ...latencyFacts(latency),
    ...figureFacts(analysis, latency !== undefined),
    { name: texts.call.facts.charge, value: call.ended_at && call.charge.toLocaleString() },
    ...usageFacts(analysis),
  ];
  if (!facts.some(({ value }) => Boolean(value))) return null;
  return (
    <Section title={labels.title}>
      <Facts facts={facts} />
      {!latency && call.ended_at && call.connected_at && <p>{labels.unknown}</p>}
    </Section>
  );
}
