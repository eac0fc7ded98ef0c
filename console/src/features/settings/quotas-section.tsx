import { api, type Schemas } from '../../api/client';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Quota = Schemas['QuotaDto'];

const labels = texts.quotas;

const COLUMNS: Column<Quota>[] = [
  { key: 'name', header: labels.columns.name, cell: ({ name }) => labels.names[name] },
  { key: 'used', header: labels.columns.used, cell: ({ used }) => used?.toLocaleString(), align: 'end' },
  {
    key: 'limit',
    header: labels.columns.limit,
    cell: ({ limit }) => limit?.toLocaleString() ?? labels.unlimited,
    align: 'end',
  },
  {
    key: 'setBy',
    header: labels.columns.setBy,
    cell: ({ set_by }) => labels.sources[set_by],
    isMinor: true,
  },
];

/** The quotas of the workspace and their use. */
export function QuotasSection() {
  const quotas = api.useQuery('get', '/api/workspace/quotas');
  return (
    <Section title={labels.title}>
      <p className={styles.muted}>{labels.text}</p>
      <Loaded query={quotas}>
        {({ data }) => (
          <Table caption={labels.title} columns={COLUMNS} rows={data} rowKey={({ name }) => name} />
        )}
      </Loaded>
    </Section>
  );
}
