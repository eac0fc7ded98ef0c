import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Schemas } from '../../api/client';
import { filterQuery } from '../../ui/filters/filter-query';
import { Loaded } from '../../ui/loaded';
import { Section } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

type Entry = Schemas['CreditEntryDto'];

const labels = texts.settings.credits;

const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });

const COLUMNS: Column<Entry>[] = [
  { key: 'at', header: labels.columns.at, cell: ({ at }) => <TimeText at={at} /> },
  { key: 'kind', header: labels.columns.kind, cell: ({ kind }) => labels.kinds[kind] },
  { key: 'amount', header: labels.columns.amount, cell: ({ amount }) => signed.format(amount), align: 'end' },
  {
    key: 'balance',
    header: labels.columns.balance,
    cell: ({ balance }) => balance.toLocaleString(),
    align: 'end',
  },
  {
    key: 'call',
    header: labels.columns.call,
    cell: ({ call_id }) => call_id && <Link href={`/calls/${call_id}`}>{labels.openCall}</Link>,
  },
];

/** The credits of the workspace and their ledger. */
export default function CreditsPage() {
  const [parameters, setParameters] = useQueryParameters();
  const workspace = api.useQuery('get', '/api/workspace');
  const query = filterQuery(parameters, []);
  const entries = api.useQuery(
    'get',
    '/api/workspace/credits',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <SettingsFrame tab={texts.settings.tabs.credits}>
      <Section title={labels.free}>
        <Loaded query={workspace}>
          {({ data }) => <p className={styles.big}>{data.credits.toLocaleString()}</p>}
        </Loaded>
        <p className={styles.muted}>{labels.freeText}</p>
      </Section>
      <Loaded query={entries}>
        {({ data, pagination }) => (
          <>
            <Table
              caption={labels.ledger}
              columns={COLUMNS}
              rows={data}
              rowKey={({ id }) => id}
              empty={labels.empty}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
    </SettingsFrame>
  );
}
