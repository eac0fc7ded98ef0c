import { keepPreviousData } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, client, type Schemas } from '../../api/client';
import { Button } from '../../components/button';
import { CallStatus } from '../../components/call-status';
import { ConfirmDialog } from '../../components/confirm-dialog';
import { Loaded } from '../../components/loaded';
import { Page } from '../../components/page';
import { Table } from '../../components/table';
import { durationText } from '../../components/time-text';
import type { Counts } from '../../live/live-events';
import { useLive } from '../../live/use-live';
import { texts } from '../../texts';
import { personsNumber } from '../calls/call-table';

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
  const query = { status: IN_PROGRESS, limit: 100 };
  const calls = api.useQuery(
    'get',
    '/api/calls',
    { params: { query } },
    { placeholderData: keepPreviousData },
  );
  const [counts, setCounts] = useState<Counts>();
  const [asked, setAsked] = useState<Call>();
  const now = useNow();
  useLive((event) => {
    if (event.kind === 'counts') setCounts(event);
    if (event.kind !== 'campaign' && event.kind !== 'lost') void calls.refetch({ cancelRefetch: false });
  });
  const since = (call: Call) =>
    durationText(Math.max(0, now - Date.parse(call.connected_at ?? call.created_at)) / 1_000);
  const hangUp = (call_id: string) =>
    client.POST('/api/calls/{call_id}/hangup', { params: { path: { call_id } } });
  return (
    <Page title={texts.live.title}>
      {counts && <p role="status">{texts.live.counts(counts.queued, counts.accepted, counts.connected)}</p>}
      <Loaded query={calls}>
        {({ data }) => (
          <Table<Call>
            caption={texts.live.title}
            rows={data}
            rowKey={({ call_id }) => call_id}
            rowHref={({ call_id }) => `/calls/${call_id}`}
            empty={texts.live.empty}
            columns={[
              {
                key: 'person',
                header: texts.calls.columns.person,
                cell: (call) => call.customer_name || personsNumber(call) || texts.common.unknown,
              },
              { key: 'number', header: texts.calls.columns.number, cell: personsNumber, isMinor: true },
              {
                key: 'status',
                header: texts.calls.columns.status,
                cell: (call) => <CallStatus status={call.status} />,
              },
              {
                key: 'agent',
                header: texts.calls.columns.agent,
                cell: ({ agent }) => agent.name,
                isMinor: true,
              },
              { key: 'time', header: texts.live.duration, cell: since, align: 'end' },
              {
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
              },
            ]}
          />
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
