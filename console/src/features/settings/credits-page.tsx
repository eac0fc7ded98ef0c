import { keepPreviousData } from '@tanstack/react-query';
import { Link } from 'wouter';
import { api, type Schemas } from '../../api/client';
import { PersonLink } from '../../domain/person-link';
import { FilterBar } from '../../ui/filters/filter-bar';
import { filterQuery, isNarrowed, namesOf } from '../../ui/filters/filter-query';
import { MINUTES } from '../../ui/filters/periods';
import { Loaded } from '../../ui/loaded';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { TimeText } from '../../ui/time-text';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { texts } from '../../texts';
import { CreditExport, type CreditQuery } from './credit-export';
import { CreditFigures } from './credit-figures';
import { CREDIT_FILTERS } from './credit-filters';
import { SettingsFrame } from './settings-frame';
import styles from './settings.module.css';

type Entry = Schemas['CreditEntryDto'];

const labels = texts.settings.credits;

const NAMES = namesOf(CREDIT_FILTERS, MINUTES);

const signed = new Intl.NumberFormat(undefined, { signDisplay: 'exceptZero' });

/** The person of a call, as a link to the call. A call that was deleted has no page. */
function CallOf({ call_id, customer_name }: Entry) {
  if (call_id === null) return null;
  if (customer_name === null) return labels.deletedCall;
  return <Link href={`/calls/${call_id}`}>{customer_name || labels.openCall}</Link>;
}

const COLUMNS: Column<Entry>[] = [
  { key: 'at', header: labels.columns.at, cell: ({ at }) => <TimeText at={at} />, phone: 'detail' },
  { key: 'kind', header: labels.columns.kind, cell: ({ kind }) => labels.kinds[kind], phone: 'title' },
  {
    key: 'amount',
    header: labels.columns.amount,
    cell: ({ amount }) => signed.format(amount),
    align: 'end',
    phone: 'aside',
  },
  {
    key: 'balance',
    header: labels.columns.balance,
    cell: ({ balance }) => balance.toLocaleString(),
    align: 'end',
    isMinor: true,
    phone: 'hidden',
  },
  { key: 'call', header: labels.columns.call, cell: (entry) => <CallOf {...entry} />, phone: 'detail' },
  {
    key: 'number',
    header: labels.columns.number,
    cell: ({ customer_number }) => customer_number && <PersonLink number={customer_number} />,
    isMinor: true,
    phone: 'detail',
  },
];

/** The credits of the workspace, their usage and their ledger. */
export default function CreditsPage() {
  const state = useQueryParameters();
  const [parameters, setParameters] = state;
  const query = filterQuery(parameters, NAMES) as CreditQuery;
  const entries = api.useQuery(
    'get',
    '/api/workspace/credits',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  return (
    <SettingsFrame tab={texts.settings.tabs.credits}>
      <div className={styles.ledger}>
        <div>
          <FilterBar filters={CREDIT_FILTERS} times={MINUTES} state={state}>
            {entries.data && <CreditExport query={query} total={entries.data.pagination.total} />}
          </FilterBar>
          <Loaded query={entries}>
            {({ data, pagination }) => (
              <>
                <Table
                  caption={labels.ledger}
                  columns={COLUMNS}
                  rows={data}
                  rowKey={({ id }) => id}
                  empty={isNarrowed(parameters, NAMES) ? labels.noMatch : labels.empty}
                />
                <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
              </>
            )}
          </Loaded>
        </div>
        <CreditFigures />
      </div>
    </SettingsFrame>
  );
}
