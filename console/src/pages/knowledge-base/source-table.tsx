import type { Schemas } from '../../api/client';
import { Section } from '../../components/page';
import { type Column, Table } from '../../components/table';
import { texts } from '../../texts';
import { SourceState } from '../knowledge/state-of';
import styles from './knowledge-base.module.css';

type Source = Schemas['SourceDto'];

const { source: headers } = texts.knowledge;

/** What the knowledge base was made from. A page of the web is opened elsewhere. */
const NameOf = ({ source: { url, name, metadata } }: { source: Source }) =>
  /^https?:/.test(url) ? (
    <a href={url} target="_blank" rel="noreferrer" className={styles.link}>
      {url}
    </a>
  ) : (
    <span className={styles.link}>{metadata.fileName || name}</span>
  );

const REASON: Column<Source> = {
  key: 'reason',
  header: headers.reason,
  cell: ({ metadata }) => metadata.reason,
};

export const SourceTable = ({ sources }: { sources: Source[] }) => (
  <Section title={texts.knowledge.sources}>
    <Table<Source>
      caption={texts.knowledge.sources}
      rows={sources}
      rowKey={({ _id }) => _id}
      columns={[
        { key: 'name', header: headers.name, cell: (source) => <NameOf source={source} /> },
        { key: 'type', header: headers.type, cell: ({ type }) => type, isMinor: true },
        { key: 'state', header: headers.state, cell: ({ status }) => <SourceState status={status} /> },
        {
          key: 'passages',
          header: headers.passages,
          cell: ({ metadata }) => metadata.passages.toLocaleString(),
          align: 'end',
        },
        ...(sources.some(({ status }) => status === 'failed') ? [REASON] : []),
      ]}
    />
  </Section>
);
