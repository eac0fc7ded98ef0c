import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'wouter';
import { api, type Schemas } from '../../api/client';
import type { operations } from '../../api/schema';
import { CALL_COLUMNS } from '../../domain/call-columns';
import { isE164, personNumber } from '../../domain/phone-number';
import { useLive } from '../../live/use-live';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { Loaded } from '../../ui/loaded';
import { NotFound } from '../../ui/not-found';
import { Page, Section } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { DoNotCallSection } from './do-not-call-section';
import { ErasureSection } from './erasure-section';

type Call = Schemas['CallDto'];
type Query = NonNullable<operations['listCalls']['parameters']['query']>;

const labels = texts.people;

const COLUMNS: Column<Call>[] = [
  CALL_COLUMNS.created,
  CALL_COLUMNS.person,
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
  return isE164(phone) ? <Person key={phone} number={phone} /> : <NotFound />;
}

/** A person, who is known by a number: all calls, whether the number may be called, and the erasure. */
function Person({ number }: { number: string }) {
  const [parameters, setParameters] = useQueryParameters();
  const isScoped = useIsScoped();
  const [erasureId, setErasureId] = useState<string>();
  const sortBy = parameters.get('sortBy') ?? 'created_at';
  const order = parameters.get('sortOrder') === 'asc' ? 'asc' : 'desc';
  const query = {
    number,
    limit: 25,
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
  const shown = calls.data?.data ?? [];
  useLive((event) => {
    const isShown = event.kind === 'call' && shown.some(({ call_id }) => call_id === event.call_id);
    if (event.kind === 'gap' || isShown) void calls.refetch();
  });
  const name = findName(shown, number);
  return (
    <Page title={name ? labels.named(name, number) : number}>
      {/* A credential with scopes may neither read the do-not-call list nor erase. */}
      {!isScoped && <DoNotCallSection number={number} />}
      <Section title={labels.calls}>
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
        <ErasureSection
          number={number}
          erasureId={erasureId}
          onBegin={setErasureId}
          onProgress={() => void calls.refetch()}
        />
      )}
    </Page>
  );
}
