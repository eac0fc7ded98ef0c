import { api, type Schemas } from '../../api/client';
import { ShareBar } from '../../ui/chart/share-bar';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { type Column, Table } from '../../ui/table/table';
import { texts } from '../../texts';
import styles from './settings.module.css';

type Quota = Schemas['QuotaDto'];

const labels = texts.quotas;

const BYTES_PER_MB = 1_048_576;

/** A count, or megabytes where the quota counts bytes. */
const presentAmount = ({ name }: Quota, amount: number) =>
  name.endsWith('_bytes') ? labels.megabytes(amount / BYTES_PER_MB) : amount.toLocaleString();

const COLUMNS: Column<Quota>[] = [
  { key: 'name', header: labels.columns.name, cell: ({ name }) => labels.names[name] },
  {
    key: 'used',
    header: labels.columns.used,
    cell: (quota) => quota.used !== null && presentAmount(quota, quota.used),
    align: 'end',
  },
  {
    key: 'limit',
    header: labels.columns.limit,
    cell: (quota) => (quota.limit === null ? labels.unlimited : presentAmount(quota, quota.limit)),
    align: 'end',
  },
  {
    key: 'share',
    header: labels.columns.share,
    cell: ({ used, limit }) =>
      used !== null && limit !== null && <ShareBar share={Math.min(1, used / Math.max(1, limit))} />,
    isMinor: true,
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
