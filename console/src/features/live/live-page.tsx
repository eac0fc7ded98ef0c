import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { useConnection } from '../../api/connection';
import { Button } from '../../ui/button';
import { ConfirmDialog } from '../../ui/confirm-dialog';
import { Loaded } from '../../ui/loaded';
import { Page } from '../../ui/page';
import { Pager } from '../../ui/table/pager';
import { type Column, Table } from '../../ui/table/table';
import { durationText } from '../../ui/moment';
import { useNow } from '../../ui/use-now';
import { useQueryParameters } from '../../ui/filters/use-query-parameters';
import { useCounts, usePolling } from '../../live/use-counts';
import { useLive } from '../../live/use-live';
import { useIsScoped } from '../../session/session';
import { texts } from '../../texts';
import { personNumber, PARTY_COLUMNS } from '../../domain/call-columns';
import { useFocusAfterEnd } from './use-focus-after-end';

type Call = Schemas['CallDto'];

const IN_PROGRESS: Call['status'][] = ['connected', 'accepted', 'queued'];

/** The calls in progress. */
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
  const { isAway } = useConnection();
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
    ...PARTY_COLUMNS,
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
          aria-label={texts.live.hangUpOf(call.customer_name || personNumber(call))}
          onClick={() => setAsked(call)}
        >
          {texts.call.hangUp}
        </Button>
      ),
    });
  return (
    <Page title={texts.live.title}>
      <Loaded query={calls} isCurrent>
        {({ data, pagination }) => (
          <>
            <p>
              {counts
                ? texts.live.counts(counts.queued, counts.accepted, counts.connected)
                : texts.common.loading}
            </p>
            <Table<Call>
              caption={texts.live.title}
              rows={data}
              rowKey={({ call_id }) => call_id}
              rowHref={({ call_id }) => `/calls/${call_id}`}
              empty={isAway ? texts.live.unknown : texts.live.empty}
              columns={columns}
            />
            <Pager pagination={pagination} onPage={(page) => setParameters({ page: String(page) })} />
          </>
        )}
      </Loaded>
      {asked && (
        <ConfirmDialog
          title={texts.call.hangUpTitle}
          text={texts.call.hangUpText(personNumber(asked))}
          action={texts.call.hangUp}
          run={() => hangUp(asked.call_id)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </Page>
  );
}
