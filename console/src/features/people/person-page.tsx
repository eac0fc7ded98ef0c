import { keepPreviousData, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { api, type Schemas } from '../../api/client';
import type { operations } from '../../api/schema';
import { useSeries } from '../../api/series';
import { CALL_COLUMNS } from '../../domain/call-columns';
import { NOTES, NoteSection } from '../../domain/note-section';
import { isE164, personNumber } from '../../domain/phone-number';
import { readAgain } from '../../live/read-again';
import { useLive } from '../../live/use-live';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Button } from '../../ui/button';
import { Loaded } from '../../ui/loaded';
import { zone } from '../../ui/moment';
import { NotFound } from '../../ui/not-found';
import { Page, Section } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { CampaignsSection } from './campaigns-section';
import { CallPersonDialog } from './call-person-dialog';
import { DoNotCallSection } from './do-not-call-section';
import { ErasureSection } from './erasure-section';
import { PersonTotals } from './person-totals';
import { readRowsPerPage } from '../../ui/table/rows-per-page';

type Call = Schemas['CallDto'];
type Query = NonNullable<operations['listCalls']['parameters']['query']>;

const labels = texts.people;

const COLUMNS: Column<Call>[] = [
  { ...CALL_COLUMNS.created, phone: 'title' },
  { ...CALL_COLUMNS.person, phone: 'hidden' },
  CALL_COLUMNS.direction,
  CALL_COLUMNS.status,
  CALL_COLUMNS.agent,
  CALL_COLUMNS.duration,
  CALL_COLUMNS.reason,
  CALL_COLUMNS.outcome,
  CALL_COLUMNS.charge,
];

/** The name of the newest call that has one. */
const findName = (calls: Call[], number: string) =>
  calls.find((call) => call.customer_name !== '' && personNumber(call) === number)?.customer_name;

export default function PersonPage() {
  const { phone = '' } = useParams();
  // Other programs write the + of a number in an address as %2B.
  const number = phone.replace(/^%2B/i, '+');
  return isE164(number) ? <Person key={number} number={number} /> : <NotFound />;
}

/** The queries that a change of a call concerns. */
const ABOUT_CALLS = ['/api/calls', '/api/reports/calls/series'].map((path) => ({ queryKey: ['get', path] }));

/** A person, who is known by a number: all calls, the note, whether the number may be called, and the erasure. */
function Person({ number }: { number: string }) {
  const [parameters, setParameters] = useQueryParameters();
  const isScoped = useIsScoped();
  const queries = useQueryClient();
  const [erasureId, setErasureId] = useState<string>();
  const [isCalling, setCalling] = useState(false);
  const sortBy = parameters.get('sortBy') ?? 'created_at';
  const order = parameters.get('sortOrder') === 'asc' ? 'asc' : 'desc';
  const query = {
    number,
    limit: readRowsPerPage(),
    page: Number(parameters.get('page') ?? 1),
    sortBy,
    sortOrder: order,
  } as Query;
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const newest = api.useQuery('get', '/api/calls', { params: { query: { number, limit: 1 } } });
  const series = useSeries({ number, interval: 'month', timezone: zone }, !isScoped);
  const shown = calls.data?.data ?? [];
  const [last] = newest.data?.data ?? [];
  const refresh = () => Promise.all(ABOUT_CALLS.map((each) => readAgain(queries, each)));
  useLive((event) => {
    const isShown = event.kind === 'call' && shown.some(({ call_id }) => call_id === event.call_id);
    if (event.kind === 'gap' || isShown) void refresh();
  });
  const name = findName(shown, number);
  return (
    // A credential with scopes may neither read agents, totals, notes and the do-not-call list nor erase.
    <Page
      title={name ? labels.named(name, number) : number}
      actions={
        !isScoped && (
          <Button needs="operate" variant="primary" onClick={() => setCalling(true)}>
            {labels.call}
          </Button>
        )
      }
    >
      <Section title={labels.calls}>
        {!isScoped && (
          <Loaded query={series}>
            {({ totals }) => last && <PersonTotals totals={totals} lastCall={last.created_at} />}
          </Loaded>
        )}
        <Loaded query={calls}>
          {({ data, pagination }) => (
            <>
              <Table<Call>
                caption={labels.calls}
                columns={COLUMNS}
                rows={data}
                rowKey={({ call_id }) => call_id}
                rowHref={({ call_id }) => `/calls/${call_id}`}
                empty={labels.noCalls}
                sorting={{
                  by: sortBy,
                  order,
                  onChange: (by, sortOrder) => setParameters({ sortBy: by, sortOrder, page: undefined }),
                }}
              />
              <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
            </>
          )}
        </Loaded>
      </Section>
      {!isScoped && (
        <>
          <CampaignsSection number={number} />
          <NoteSection number={number} />
          <DoNotCallSection number={number} />
          <ErasureSection
            number={number}
            erasureId={erasureId}
            onBegin={setErasureId}
            onProgress={() => void Promise.all([refresh(), queries.invalidateQueries(NOTES)])}
          />
        </>
      )}
      {isCalling && (
        <CallPersonDialog
          number={number}
          name={name ?? ''}
          agentId={last && !last.agent.deleted ? last.agent.id : ''}
          onClose={() => setCalling(false)}
        />
      )}
    </Page>
  );
}
