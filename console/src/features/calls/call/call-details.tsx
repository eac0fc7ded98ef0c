import type { Schemas } from '../../../api/client';
import { ConfigView } from '../../../domain/agent-config';
import { Facts } from '../../../ui/facts';
import { Section } from '../../../ui/page';
import { texts } from '../../../texts';
import styles from './call.module.css';

const factsOf = (values: object) =>
  Object.entries(values).map(([name, value]) => ({ name, value: String(value) }));

/** The request that the runtime received, and its analysis. */
export const CallDetails = ({ call }: { call: Schemas['CallDetailDto'] }) => (
  <>
    {Object.keys(call.dynamic_variables).length > 0 && (
      <Section title={texts.call.variables}>
        <Facts facts={factsOf(call.dynamic_variables)} />
      </Section>
    )}
    {call.analysis && (
      <Section title={texts.call.analysis}>
        <Facts facts={factsOf(call.analysis)} />
      </Section>
    )}
    <details className={styles.details}>
      <summary>{texts.call.configuration}</summary>
      <ConfigView config={call.agent_config} />
    </details>
  </>
);
