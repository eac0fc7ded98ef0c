import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Pager } from '../../components/pager';
import { type Column, Table } from '../../components/table';
import { durationText } from '../../components/time-text';
import { useQueryParameters } from '../../components/use-query-parameters';
import { useCounts, usePolling } from '../../live/use-counts';
import { useLive } from '../../live/use-live';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { personsNumber, WHO_COLUMNS } from '../calls/call-table';
import { useFocusAfterEnd } from './use-focus-after-end';

type Call = Schemas['CallDto'];

const IN_PROGRESS: Call['status'][] = ['connected', 'accepted', 'queued'];

/** The time, once a second. */
function useNow(): number {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = window.setInterval(() => setNow(Date.now()), 1_000);
    return () => window.clearInterval(timer);
  }, []);
  return now;
}

/** Who is on the line now. */
export default function LivePage() {
  const [parameters, setParameters] = useQueryParameters();
  const query = { status: IN_PROGRESS, limit: 25, page: Number(parameters.get('page') ?? 1) };
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData, refetchInterval: usePolling() },
  );
  const { data: counts } = useCounts();
  const isScoped = useIsScoped();
  const [asked, setAsked] = useState<Call>();
  const now = useNow();
  useLive((event) => {
    if (event.kind !== 'campaign' && event.kind !== 'lost') void calls.refetch({ cancelRefetch: false });
  });
  const since = (call: Call) =>
    durationText(Math.max(0, now - Date.parse(call.connected_at ?? call.created_at)) / 1_000);
  const expectEnd = useFocusAfterEnd(calls.data?.data);
  const hangUp = (call_id: string) => {
    expectEnd(call_id);
    return client.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id } } });
  };
  const columns: Column<Call>[] = [
    ...WHO_COLUMNS,
    { key: 'time', header: texts.live.duration, cell: since, align: 'end' },
  ];
  // The API lets a credential with scopes read calls, not end them.
  if (!isScoped)
    columns.push({
      key: 'act',
      header: texts.call.hangUp,
      cell: (call) => (
        <Button
          variant="danger"
          aria-label={texts.live.hangUpOf(call.customer_name || personsNumber(call))}
          onClick={() => setAsked(call)}
        >
          {texts.call.hangUp}
        </Button>
      ),
    });
  return (
    <Page title={texts.live.title}>
      <p>
        {counts ? texts.live.counts(counts.queued, counts.accepted, counts.connected) : texts.common.loading}
      </p>
      <Loaded query={calls}>
        {({ data, pagination }) => (
          <>
            <Table<Call>
              caption={texts.live.title}
              rows={data}
              rowKey={({ call_id }) => call_id}
              rowHref={({ call_id }) => `/calls/${call_id}`}
              empty={texts.live.empty}
              columns={columns}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={texts.call.hangUpTitle}
          text={texts.call.hangUpText(personsNumber(asked))}
          action={texts.call.hangUp}
          run={() => hangUp(asked.call_id)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}
