import { memo } from 'react';
import type { Schemas } from '../../api/client';
import { usageText } from '../../domain/call-performance';
import { Section } from '../../ui/page';
import { Table } from '../../ui/table/table';
import { texts } from '../../texts';
import { providerName } from '../../texts/providers';
import styles from './analytics.module.css';

const labels = texts.analytics;

/** The usage of providers in the calls of a period. */
export const Usage = memo(function Usage({ usage }: { usage: Schemas['UsageDto'][] }) {
  if (usage.length === 0) return null;
  return (
    <Section title={labels.usage}>
      <p className={styles.muted}>{labels.usageText}</p>
      <Table
        caption={labels.usage}
        rows={usage}
        rowKey={({ kind, provider }) => `${kind} ${provider}`}
        columns={[
          { key: 'kind', header: labels.usageOf, cell: ({ kind }) => texts.performance.usage[kind] },
          {
            key: 'provider',
            header: labels.provider,
            cell: ({ provider }) => providerName(provider) || labels.unnamed,
          },
          {
            key: 'amount',
            header: labels.amount,
            cell: ({ kind, amount }) => usageText(kind, amount),
            align: 'end',
          },
        ]}
      />
    </Section>
  );
});
