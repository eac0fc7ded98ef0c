import type { Schemas } from '../../../api/client';
import { ConfigView } from '../../../domain/agent-config';
import { isPerformance } from '../../../domain/call-performance';
import { type Fact, Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import { TechnicalFacts } from './call-facts';
import styles from './call.module.css';

const toFacts = (values: object) =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

const otherFacts = (analysis: object): Fact[] =>
  toFacts(Object.fromEntries(Object.entries(analysis).filter((entry) => !isPerformance(entry))));

const FactsSection = ({ title, facts }: { title: string; facts: Fact[] }) =>
  facts.length > 0 && (
    <Section title={title}>
      <Facts facts={facts} />
    </Section>
  );

/** The request that the runtime received, and its analysis. */
export const CallDetails = ({ call }: { call: Schemas['CallDetailDto'] }) => (
  <>
    <FactsSection title={texts.call.variables} facts={toFacts(call.dynamic_variables)} />
    <FactsSection title={texts.call.analysis} facts={otherFacts(call.analysis ?? {})} />
    <details className={styles.details}>
      <summary>{texts.call.technical}</summary>
      <TechnicalFacts call={call} />
    </details>
    <details className={styles.details}>
      <summary>{texts.call.configuration}</summary>
      <ConfigView config={call.agent_config} />
    </details>
  </>
);
